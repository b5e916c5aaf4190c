import { createListeners } from '@sumlock/sync/listeners'
import type { AskSender } from './prepare/ask-sender.ts'

export interface OpenQuestion {
  sentences: readonly string[]
  answer: (isSent: boolean) => void
}

export type SenderQuestion = ReturnType<typeof createQuestion>

/** Asks the sender about one file: in the preview, or in the chat once it is sent. It stays open until it is answered. */
export function createQuestion() {
  let open: OpenQuestion | null = null
  const changed = createListeners<[]>()
  const set = (next: OpenQuestion | null) => {
    open = next
    changed.emit()
  }
  const ask: AskSender = (sentences) =>
    new Promise((resolve) => {
      const answer = (isSent: boolean) => {
        set(null)
        resolve(isSent)
      }
      set({ sentences, answer })
    })
  return { ask, get: () => open, subscribe: changed.add }
}
