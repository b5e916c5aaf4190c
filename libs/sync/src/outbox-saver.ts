import type { OutboxItem, OutboxStore } from './ports.ts'

export interface OutboxSaver {
  save(items: readonly OutboxItem[]): void
  /** Resolves when the latest state was written. */
  settled(): Promise<void>
}

/** Writes one state at a time, and skips states that are already outdated. */
export function createOutboxSaver(store: OutboxStore | undefined): OutboxSaver {
  let latest: readonly OutboxItem[] | undefined
  let writing: Promise<void> | undefined

  const write = async () => {
    while (store && latest) {
      const items = latest
      latest = undefined
      // Sending continues when the storage is full or forbidden: the messages are still in memory.
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
