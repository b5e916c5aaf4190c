import type { OutboxEntry, OutboxStore } from '@sumlock/sync/ports'
import type { UnsentStore } from './unsent-store.ts'

const idOf = ({ message }: OutboxEntry) => message.clientMessageId

/**
 * Stores the unsent messages and acts. A stored message takes the place of the stub of its file. Each tab writes only
 * its own changes, so that tabs do not overwrite one another. If two tabs have loaded a message or an act, both send it
 * under the same id, and it takes effect once.
 */
export function createOutboxStore(store: UnsentStore): OutboxStore & { forget: () => void } {
  /** Items that differ from these have changed since the last load or write. */
  let before = new Map<string, OutboxEntry>()
  /** This tab may remove only items that it has loaded or saved, which have these ids. */
  const own = new Set<string>()
  let isForgotten = false
  const remember = (items: readonly OutboxEntry[]) => {
    // A write may end after the session.
    if (isForgotten) return
    before = new Map(items.map((item) => [idOf(item), item]))
    for (const item of items) own.add(idOf(item))
  }
  return {
    async load() {
      const { items } = await store.read()
      remember(items)
      return items
    },
    async save(items) {
      for (const item of items) own.add(idOf(item))
      const present = new Map(items.map((item) => [idOf(item), item]))
      const removed = new Set([...own].filter((id) => !present.has(id)))
      const isKept = await store.update((text) => {
        const kept = text.items.filter((item) => !removed.has(idOf(item)))
        const known = new Set(kept.map(idOf))
        const changed = new Map([...present].filter(([id, item]) => before.get(id) !== item))
        const merged = kept.map((item) => changed.get(idOf(item)) ?? item)
        const added = [...changed.values()].filter((item) => !known.has(idOf(item)))
        const files = text.files?.filter(({ id }) => !present.has(id))
        return { ...text, items: [...merged, ...added], ...(files && { files }) }
      }, 'items')
      // If not everything has fitted, the next save writes the same differences again.
      if (!isKept) return
      remember(items)
      for (const id of removed) own.delete(id)
    },
    forget: () => {
      isForgotten = true
      before.clear()
    },
  }
}
