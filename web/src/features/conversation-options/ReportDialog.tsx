import { limits } from '@sumlock/contracts/limits'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { useState } from 'react'
import { lengthOf } from '../../shared/lib/text-length.ts'
import { LimitedArea } from '../../shared/ui/LimitedArea.tsx'
import { useGetMessagesQuery } from '../conversations/messaging-api.ts'
import { useSession } from '../../page.ts'
import { lookOf, textOf } from '../sealed/look.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useReportMutation } from './options-api.ts'
import { usePage } from '../../page.ts'

/** Reports the person to the administrators. The texts of messages are sent only if the reporter agrees. */
export function ReportDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { toast } = usePage().toasts
  const [report, { isLoading }] = useReportMutation()
  const { userId } = useSession()
  const { data } = useGetMessagesQuery(id)
  const [isAttaching, setAttaching] = useState(false)
  const [note, setNote] = useState('')
  const length = lengthOf(note, limits.reportNoteMaxLength)
  const received = (data?.messages ?? [])
    .filter(({ senderId, content, isOnce }) => senderId !== userId && (content !== '' || isOnce))
    .slice(-limits.reportedMessages)
  const messageIds = received.map((message) => message.id)
  const contents = attachable(received, (message) =>
    message.isOnce ? '' : (textOf(lookOf(message), message) ?? ''),
  )
  const last = contents.length === 1 ? 'last message' : `last ${contents.length} messages`
  return (
    <ConfirmDialog
      title={`Report ${name}`}
      description={`Our team looks at every report. ${name} is not told.`}
      action="Send report"
      isHarmless
      isDisabled={length.excess > 0}
      isBusy={isLoading}
      onConfirm={async () => {
        const more = { ...(isAttaching ? { contents } : {}), ...(note.trim() === '' ? {} : { note }) }
        await report({ id, messageIds, ...more }).unwrap()
        toast({ title: 'Report sent', description: 'Thank you. Block this person to see nothing more.' })
        onClose()
      }}
      onClose={onClose}
    >
      <LimitedArea
        label="What happened? (optional)"
        what="A report"
        purpose="send it"
        rows={3}
        length={length}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {contents.length > 0 && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={isAttaching}
            className="size-5 shrink-0 accent-accent"
            onChange={(event) => setAttaching(event.target.checked)}
          />
          <span>
            Let our team read the {last} from {name}
          </span>
        </label>
      )}
    </ConfirmDialog>
  )
}

/**
 * Returns the newest texts, as many as fit into a report. Each is cleaned and shortened, so that no text of the
 * reported person can make the report invalid.
 */
function attachable(
  messages: readonly Message[],
  read: (message: Message) => string,
): { id: string; text: string }[] {
  const texts = messages
    .map((message) => ({ id: message.id, text: acceptable(read(message)) }))
    .filter(({ text }) => text !== '')
  let left: number = limits.reportedTextsMaxLength
  const tooMuch = texts.findLastIndex(({ text }) => (left -= text.length) < 0)
  return texts.slice(tooMuch + 1)
}

const acceptable = (text: string) =>
  text.slice(0, limits.messageMaxLength).toWellFormed().replaceAll('\u0000', '')
