import { closedSentence, formerKeySentence } from '../sealed/closed-sentence.ts'
import { textOf } from '../sealed/look.ts'
import { SendAgain } from '../../app/chunks/unlocked.tsx'
import { MessageBubble } from './MessageBubble.tsx'
import { useSession } from '../../page.ts'
import type { TimelineRow } from './timeline.ts'

interface MessageRowProps {
  row: Extract<TimelineRow, { kind: 'message' }>
  id: string
  name: string
}

/** Shows the text of a stored message, or the reason why it cannot be shown. */
export function MessageRow({ row, id, name }: MessageRowProps) {
  const { message, look, isOwn, isFirst, isLast, isFormer, writtenAtMs } = row
  const { text: sealed } = useSession()
  const text = isFormer ? null : textOf(look, message)
  const media = look.state === 'open' ? look.body.media : undefined
  const reason = isFormer
    ? formerKeySentence
    : look.state === 'closed'
      ? closedSentence(look.why, name)
      : null
  return (
    <>
      <MessageBubble {...{ message, text, media, reason, writtenAtMs, isOwn, isFirst, isLast }} />
      {isOwn && text && message.sealed && message.sealed.to < sealed.partnerEpoch(id) && (
        <SendAgain {...{ message, text, id, name }} />
      )}
    </>
  )
}
