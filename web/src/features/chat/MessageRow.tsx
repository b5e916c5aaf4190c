import { closedSentence, formerKeySentence } from '../sealed/closed-sentence.ts'
import { textOf } from '../sealed/look.ts'
import { QuotationButton, Reactions, SendAgain } from '../../app/chunks/unlocked.tsx'
import { MessageBubble } from './MessageBubble.tsx'
import { useSession } from '../../page.ts'
import type { ListRowProps } from './ListRow.tsx'
import type { TimelineRow } from './timeline.ts'

interface MessageRowProps extends ListRowProps {
  row: Extract<TimelineRow, { kind: 'message' }>
}

/** Shows the text of a stored message, or the reason why it cannot be shown. */
export function MessageRow({ row, id, name, goTo, isMarked }: MessageRowProps) {
  const { message, look, isOwn, isFirst, isLast, isFormer, writtenAtMs } = row
  const { text: sealed } = useSession()
  const text = isFormer ? null : textOf(look, message)
  const media = look.state === 'open' ? look.body.media : undefined
  const reason = isFormer
    ? formerKeySentence
    : look.state === 'closed'
      ? closedSentence(look.why, name)
      : null
  const quotation = row.quotation && text !== null && (
    <QuotationButton quotation={row.quotation} name={name} onOpen={goTo} />
  )
  return (
    <>
      <MessageBubble
        {...{ message, text, media, reason, writtenAtMs, isOwn, isFirst, isLast, isMarked, quotation }}
      />
      {message.reactions && (
        <Reactions
          {...{ id, name, isOwn }}
          target={{ by: message.senderId, id: message.clientMessageId }}
          reactions={message.reactions}
        />
      )}
      {isOwn && text && message.sealed && message.sealed.to < sealed.partnerEpoch(id) && (
        <SendAgain {...{ message, text, id, name }} re={row.quotation?.re} />
      )}
    </>
  )
}
