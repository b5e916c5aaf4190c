import { limits } from '@sumlock/contracts/limits'
import { useId, useState } from 'react'
import { toast } from '../../shared/ui/toast.ts'
import { inputClass } from '../../shared/ui/TextField.tsx'
import { useGetMessagesQuery } from '../messaging/messaging-api.ts'
import { useMessaging } from '../messaging/messaging-context.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useReportMutation } from './options-api.ts'

/** Reports the person to the administrators. What the messages say leaves only if it is added. */
export function ReportDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const [report, { isLoading }] = useReportMutation()
  const { userId } = useMessaging()
  const { data } = useGetMessagesQuery(id)
  const [withContent, setWithContent] = useState(false)
  const [note, setNote] = useState('')
  const fieldId = useId()
  const received = (data?.messages ?? []).filter(
    ({ senderId, content }) => senderId !== userId && content !== '',
  )
  const messageIds = received.slice(-limits.reportedMessages).map((message) => message.id)
  const last = messageIds.length === 1 ? 'last message' : `last ${messageIds.length} messages`
  return (
    <ConfirmDialog
      title={`Report ${name}`}
      description={`Our team looks at every report. ${name} is not told.`}
      action="Send report"
      isHarmless
      isBusy={isLoading}
      onConfirm={async () => {
        await report({ id, messageIds, withContent, ...(note.trim() === '' ? {} : { note }) }).unwrap()
        toast({ title: 'Report sent', description: 'Thank you. Block this person to see nothing more.' })
        onClose()
      }}
      onClose={onClose}
    >
      <div>
        <label htmlFor={fieldId} className="mb-1.5 block text-sm font-medium">
          What happened? (optional)
        </label>
        <textarea
          id={fieldId}
          rows={3}
          maxLength={limits.reportNoteMaxLength}
          value={note}
          className={`${inputClass} resize-none py-2.5`}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
      {messageIds.length > 0 && (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={withContent}
            className="size-5 shrink-0 accent-accent"
            onChange={(event) => setWithContent(event.target.checked)}
          />
          <span>
            Let our team read the {last} from {name}
          </span>
        </label>
      )}
    </ConfirmDialog>
  )
}
