import type { OutboxItem, OutboxStore } from './ports.ts'

export interface OutboxSaver {
  save(items: readonly OutboxItem[]): void
  /** Resolves when everything said so far was written. */
  settled(): Promise<void>
}

/** Writes one state after the other, leaving out those that were overtaken meanwhile. */
export function createOutboxSaver(store: OutboxStore | undefined): OutboxSaver {
  let latest: readonly OutboxItem[] | undefined
  let writing: Promise<void> | undefined

  const write = async () => {
    while (store && latest) {
      const items = latest
      latest = undefined
      // A full or forbidden storage must not stop the sending: the messages are still in memory.
      await store.save(items).catch(() => undefined)
    }
    writing = undefined
  }
  return {
    save(items) {
      if (!store) return
      latest = items
      writing ??= write()
    },
    settled: () => writing ?? Promise.resolve(),
  }
}
