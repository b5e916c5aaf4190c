import { createListeners } from './listeners.ts'
import type { OutboxItem } from './ports.ts'

export const idOf = (item: OutboxItem): string => item.message.clientMessageId

/** Holds the unsent messages of an outbox, oldest first. */
export interface OutboxItems {
  /** The array is a new one after every change. */
  readonly all: readonly OutboxItem[]
  find(clientMessageId: string): OutboxItem | undefined
  set(items: readonly OutboxItem[]): void
  patch(clientMessageId: string, change: Partial<OutboxItem>): void
  remove(clientMessageId: string): void
  subscribe(listener: () => void): () => void
  /** Resolves as soon as the condition is true. The condition is checked now and after every change. */
  until(condition: () => boolean): Promise<void>
}

/** `onChange` is called after every change, before the listeners. */
export function createOutboxItems(onChange: () => void): OutboxItems {
  let items: readonly OutboxItem[] = []
  const changed = createListeners<[]>()
  const set = (next: readonly OutboxItem[]) => {
    items = next
    onChange()
    changed.emit()
  }
  return {
    get all() {
      return items
    },
    find: (id) => items.find((item) => idOf(item) === id),
    set,
    patch: (id, change) => set(items.map((item) => (idOf(item) === id ? { ...item, ...change } : item))),
    remove: (id) => set(items.filter((item) => idOf(item) !== id)),
    subscribe: changed.add,
    until: (condition) =>
      new Promise((resolve) => {
        const check = () => {
          if (!condition()) return
          stop()
          resolve()
        }
        const stop = changed.add(check)
        check()
      }),
  }
}
