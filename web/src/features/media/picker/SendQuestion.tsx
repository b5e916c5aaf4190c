import { useState } from 'react'
import { Button } from '../../../shared/ui/Button.tsx'
import { Dialog } from '../../../shared/ui/Dialog.tsx'
import type { AskSender } from '../prepare/ask-sender.ts'

interface Question {
  sentences: readonly string[]
  answer: (isSent: boolean) => void
}

/**
 * Asks the sender one question at a time. The open question is answered with no when another one is asked or the widget
 * closes.
 */
export function createQuestions() {
  let open: Question | null = null
  let show: ((question: Question | null) => void) | null = null
  const set = (question: Question | null) => {
    open?.answer(false)
    open = question
    show?.(question)
  }
  const ask: AskSender = (sentences) =>
    show ? new Promise((answer) => set({ sentences, answer })) : Promise.resolve(false)
  return {
    ask,
    answer(isSent: boolean): void {
      open?.answer(isSent)
      set(null)
    },
    /** Passes the open question to the listener, until the returned function is called. */
    listen(listener: (question: Question | null) => void): () => void {
      show = listener
      return () => {
        show = null
        set(null)
      }
    },
  }
}

export function useQuestions() {
  const [questions] = useState(createQuestions)
  const [question, setQuestion] = useState<Question | null>(null)
  return { ...questions, question, listen: () => questions.listen(setQuestion) }
}

interface SendQuestionProps {
  sentences: readonly string[]
  onAnswer: (isSent: boolean) => void
}

/** Asks whether to send a film, after explaining what it would reveal or lose. */
export function SendQuestion({ sentences, onAnswer }: SendQuestionProps) {
  return (
    <Dialog open onOpenChange={() => onAnswer(false)} title="Send this video?">
      <div className="space-y-4">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <Button className="w-full" onClick={() => onAnswer(true)}>
          Send anyway
        </Button>
        <Button variant="secondary" className="w-full" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  )
}
