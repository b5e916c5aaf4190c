import { createListeners } from '@sumlock/sync/listeners'
import type { ReplyTo } from '@sumlock/sync/ports'
import type { UnsentStore } from './unsent-store.ts'
import type { UnsentText } from './unsent-text.ts'

/** Holds the drafts of all conversations. */
export interface Drafts {
  get(conversationId: string): string
  /** Returns under which names there are drafts. */
  names(): Iterable<string>
  /** Changes the draft in memory at once and in the store soon after. An empty text removes the draft. */
  set(conversationId: string, text: string): void
  /** Changes the draft by itself. `change` gets the text of this tab, and that of the store, which another tab may have written. */
  amend(conversationId: string, change: (text: string) => string): void
  /** Does the same as `set` for a text that the person did not type just now. */
  put(conversationId: string, text: string): void
  /** Returns the message that the draft answers. It is kept with the draft. */
  replyTo(conversationId: string): ReplyTo | undefined
  setReply(conversationId: string, to?: ReplyTo): void
  /** Returns the message that the draft answers, and ends the answering. */
  takeReply(conversationId: string): ReplyTo | undefined
  /** Counts the calls of `put`. */
  puts(): number
  /** Calls back after every change. */
  subscribe(listener: () => void): () => void
  /** Resolves when all drafts that were set so far are written, or could not be. */
  settled(): Promise<unknown>
  /** Removes all drafts from memory; the store keeps them. */
  close(): void
}

/** Loads the drafts of an earlier page. If two tabs write to one conversation, the later one wins. */
export async function openDrafts(store: UnsentStore): Promise<Drafts> {
  const kept = await store.read()
  const texts = new Map(Object.entries(kept.drafts))
  const replies = new Map(Object.entries(kept.replies ?? {}))
  const changed = createListeners<[]>()
  let written: Promise<unknown> = Promise.resolve()

  let puts = 0
  const write = (...change: Parameters<UnsentStore['update']>) => {
    // A failed write does not stop the typing, because the drafts are still in memory.
    written = store.update(...change).catch(() => undefined)
    changed.emit()
  }
  const hold = (conversationId: string, text: string) => {
    if (text === '') texts.delete(conversationId)
    else texts.set(conversationId, text)
  }
  const set = (conversationId: string, text: string) => {
    hold(conversationId, text)
    write(
      withDraft(conversationId, () => text),
      `draft ${conversationId}`,
    )
  }

  const setReply = (conversationId: string, to?: ReplyTo) => {
    if (to) replies.set(conversationId, to)
    else if (!replies.delete(conversationId)) return
    write(withReply(conversationId, to), `reply ${conversationId}`)
  }

  return {
    get: (conversationId) => texts.get(conversationId) ?? '',
    names: () => texts.keys(),
    set,
    amend(conversationId, change) {
      hold(conversationId, change(texts.get(conversationId) ?? ''))
      write(withDraft(conversationId, change), `amend ${conversationId}`)
    },
    put(conversationId, text) {
      puts += 1
      set(conversationId, text)
    },
    replyTo: (conversationId) => replies.get(conversationId),
    setReply,
    takeReply(conversationId) {
      const to = replies.get(conversationId)
      setReply(conversationId)
      return to
    },
    puts: () => puts,
    subscribe: changed.add,
    settled: () => written,
    close() {
      texts.clear()
      replies.clear()
    },
  }
}

const withDraft =
  (conversationId: string, change: (text: string) => string) =>
  (text: UnsentText): UnsentText => {
    const { [conversationId]: former = '', ...others } = text.drafts
    const draft = change(former)
    return { ...text, drafts: draft === '' ? others : { ...others, [conversationId]: draft } }
  }

const withReply =
  (conversationId: string, to: ReplyTo | undefined) =>
  (text: UnsentText): UnsentText => {
    const { [conversationId]: _former, ...others } = text.replies ?? {}
    return { ...text, replies: to ? { ...others, [conversationId]: to } : others }
  }
