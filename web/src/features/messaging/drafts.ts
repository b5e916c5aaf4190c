import type { UnsentStore } from './unsent-store.ts'

/** The drafts, by conversation. */
export interface Drafts {
  get(conversationId: string): string
  /** Kept at once in memory, and in the store as fast as it can take it. An empty text removes the draft. */
  set(conversationId: string, text: string): void
  /** Resolves when everything set so far was written. */
  settled(): Promise<void>
}

/** Loads the drafts an earlier page left behind. Of two tabs that write to one conversation the later one wins. */
export async function openDrafts(store: UnsentStore): Promise<Drafts> {
  const texts = new Map(Object.entries((await store.read()).drafts))
  const unwritten = new Set<string>()
  let writing: Promise<void> | undefined

  const write = async () => {
    while (unwritten.size > 0) {
      const ids = [...unwritten]
      unwritten.clear()
      // A full or forbidden storage must not stop the writing: the drafts are still in memory.
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
    },
    settled: () => writing ?? Promise.resolve(),
  }
}
