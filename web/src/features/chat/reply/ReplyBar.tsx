import type { ReplyTo } from '@sumlock/sync/ports'
import { IconButton } from '../../../shared/ui/Button.tsx'
import { CloseIcon } from '../../../shared/ui/first-icons.ts'
import { checkReceived } from '../receiving-rules.ts'
import { useShownMessages } from '../use-conversation.ts'
import { createQuoting } from './quotation-of.ts'
import { QuotedText } from './QuotedText.tsx'
import { ReplyIcon } from './reply-icon.tsx'

interface ReplyBarProps {
  /** The id of the conversation. */
  id: string
  name: string
  re: ReplyTo
  onEnd: () => void
}

/** Shows above the composer which message the next one answers. */
export function ReplyBar({ id, name, re, onEnd }: ReplyBarProps) {
  const { messages } = useShownMessages(id).state
  const quotation = createQuoting(checkReceived({ messages, isWhole: false }))(re)
  if (!quotation) return null
  return (
    <div role="group" aria-label="Reply" className="flex items-center gap-2 pb-1 pl-2">
      <ReplyIcon size={16} className="shrink-0 text-accent" />
      <div className="min-w-0 flex-1 border-l-4 border-accent pl-2">
        <QuotedText {...{ quotation, name }} />
      </div>
      <IconButton label="Stop replying" onClick={onEnd}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
