import { useSession } from '../../../page.ts'
import { mediaName } from '../../media/media-name.ts'
import { onceName } from '../../media/once/once-name.ts'
import { closedSentence, formerKeySentence } from '../../sealed/closed-sentence.ts'
import { textOf } from '../../sealed/look.ts'
import { shownText } from '../message-text.ts'
import type { CheckedMessage } from '../receiving-rules.ts'
import type { Quotation } from './quotation-of.ts'

/** Shows who wrote the answered message and its first line, which are read from the message itself. */
export function QuotedText({ quotation, name }: { quotation: Quotation; name: string }) {
  const { userId } = useSession()
  const { re, found } = quotation
  return (
    <>
      <bdi className="block truncate text-xs font-semibold text-accent">
        {re.by === userId ? 'You' : name}
      </bdi>
      <bdi className="block truncate text-sm text-ink-2">
        {found ? <Line quoted={found} name={name} /> : 'Earlier message'}
      </bdi>
    </>
  )
}

function Line({ quoted, name }: { quoted: CheckedMessage; name: string }) {
  const { message, look, isFormer } = quoted
  const { messageType, mediaUrl, isVanished } = message
  if (isVanished) return <em>Message vanished</em>
  if (isFormer) return formerKeySentence
  if (onceName(message)) return 'A view once message cannot be quoted'
  if (look.state === 'closed') return closedSentence(look.why, name)
  const text = shownText(textOf(look, message) ?? '').replaceAll('\n', ' ')
  const kind = messageType !== 'text' && mediaUrl ? mediaName[messageType] : ''
  const said = [kind, text].filter(Boolean).join(': ')
  if (said === '') return <em>Deleted message</em>
  // The note above the message itself may be far away, and the answer is sealed.
  return look.state === 'plain' ? `Not encrypted: ${said}` : said
}
