import { createListeners } from './listeners.ts'
import type { ActItem, Outgoing, OutboxEntry, OutboxItem } from './ports.ts'

export const idOf = (item: OutboxEntry): string => item.message.clientMessageId
export const isAct = (item: OutboxEntry): item is ActItem => 'act' in item.message
const isMessage = (item: OutboxEntry): item is OutboxItem => !isAct(item)

/** What an item is sent as changes together with the item. */
type Change = Partial<Pick<OutboxItem, 'status' | 'failure'>> &
  Pick<ActItem, 'isTried' | 'endsAtMs'> & { prepared?: Outgoing | undefined }

/** Holds the unsent messages and acts of an outbox, oldest first. */
export interface OutboxItems {
  /** The arrays are new ones after every change. */
  readonly all: readonly OutboxEntry[]
  readonly messages: readonly OutboxItem[]
  readonly acts: readonly ActItem[]
  find(clientMessageId: string): OutboxEntry | undefined
  set(items: readonly OutboxEntry[]): void
  patch(clientMessageId: string, change: Change): void
  remove(clientMessageId: string): void
  subscribe(listener: () => void): () => void
  /** Resolves as soon as the condition is true. The condition is checked now and after every change. */
  until(condition: () => boolean): Promise<void>
}

/** `onChange` is called after every change, before the listeners. */
export function createOutboxItems(onChange: () => void): OutboxItems {
  let items: readonly OutboxEntry[] = []
  let messages: readonly OutboxItem[] = []
  let acts: readonly ActItem[] = []
  const changed = createListeners<[]>()
  const set = (next: readonly OutboxEntry[]) => {
    items = next
    acts = next.filter(isAct)
    messages = next.filter(isMessage)
    onChange()
    changed.emit()
  }
  return {
    get all() {
      return items
    },
    get messages() {
      return messages
    },
    get acts() {
      return acts
    },
    find: (id) => items.find((item) => idOf(item) === id),
    set,
    patch: (id, change) =>
      set(items.map((item) => (idOf(item) === id ? ({ ...item, ...change } as OutboxEntry) : item))),
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
