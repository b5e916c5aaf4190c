import { createListeners } from '@sumlock/sync/listeners'
import type { UnsentStore } from './unsent-store.ts'

/** The drafts, by conversation. */
export interface Drafts {
  get(conversationId: string): string
  /** Changes the draft in memory at once, and in the store soon after. An empty text removes the draft. */
  set(conversationId: string, text: string): void
  /** Called after every change. */
  subscribe(listener: () => void): () => void
  /** Resolves when all drafts set so far were written. */
  settled(): Promise<void>
}

/** Loads the drafts of an earlier page. When two tabs write to one conversation, the later one wins. */
export async function openDrafts(store: UnsentStore): Promise<Drafts> {
  const texts = new Map(Object.entries((await store.read()).drafts))
  const unwritten = new Set<string>()
  const changed = createListeners<[]>()
  let writing: Promise<void> | undefined

  const write = async () => {
    while (unwritten.size > 0) {
      const ids = [...unwritten]
      unwritten.clear()
      // Typing continues when the storage is full or forbidden: the drafts are still in memory.
      await store.update((text) => ({ ...text, drafts: merge(text.drafts, ids) })).catch(() => undefined)
    }
    writing = undefined
  }
  const merge = (drafts: Readonly<Record<string, string>>, ids: readonly string[]) => {
    const merged = new Map(Object.entries(drafts))
    for (const id of ids) {
      const text = texts.get(id)
      if (text) merged.set(id, text)
      else merged.delete(id)
    }
    return Object.fromEntries(merged)
  }
  return {
    get: (conversationId) => texts.get(conversationId) ?? '',
    set(conversationId, text) {
      if (text === '') texts.delete(conversationId)
      else texts.set(conversationId, text)
      unwritten.add(conversationId)
      writing ??= write()
      changed.emit()
    },
    subscribe: changed.add,
    settled: () => writing ?? Promise.resolve(),
  }
}
