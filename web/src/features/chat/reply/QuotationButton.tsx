import type { ReplyTo } from '@sumlock/sync/ports'
import { QuotedText } from './QuotedText.tsx'
import type { Quotation } from './quotation-of.ts'

interface QuotationButtonProps {
  quotation: Quotation
  /** The name of the other person. */
  name: string
  onOpen: (re: ReplyTo) => void
}

/** Stands above an answer and leads to the message that it answers. */
export function QuotationButton({ quotation, name, onOpen }: QuotationButtonProps) {
  return (
    <button
      type="button"
      className="mb-1.5 block min-h-11 w-full min-w-30 rounded-lg border-l-4 border-accent bg-canvas/60 px-2.5 py-1 text-left whitespace-normal"
      onClick={() => onOpen(quotation.re)}
    >
      <span className="sr-only">Answer to </span>
      <QuotedText {...{ quotation, name }} />
    </button>
  )
}
