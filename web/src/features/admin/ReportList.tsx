import type { Report } from '@sumlock/contracts/conversation-state-routes'
import { sentenceOf } from '../../api/base-api.ts'
import { dateAndTimeText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { useCloseReportMutation, useListReportsQuery } from './admin-api.ts'
import { usePage } from '../../page.ts'

/** Lists the open reports and then the closed ones, each with the newest first. */
export function ReportList() {
  const { data: reports, error } = useListReportsQuery(undefined, { refetchOnMountOrArgChange: true })
  return (
    <Card>
      <h2 className="text-lg font-semibold">Reports</h2>
      {error !== undefined && (
        <Notice kind="error">{sentenceOf(error, 'The reports could not be loaded.')}</Notice>
      )}
      {reports?.length === 0 && <p className="mt-2 text-ink-2">No reports</p>}
      <ul className="divide-y divide-line">
        {reports?.map((report) => (
          <ReportItem key={report.id} report={report} />
        ))}
      </ul>
    </Card>
  )
}

function ReportItem({ report }: { report: Report }) {
  const { toastFailure } = usePage().toasts
  const [close, { isLoading }] = useCloseReportMutation()
  const { id, reportedBy, reported, messages, note, createdAt, closedAt } = report
  const attached = messages.filter(({ text }) => text !== undefined)
  const closeIt = async () => {
    try {
      await close(id).unwrap()
    } catch (error) {
      toastFailure('Not closed', error)
    }
  }
  return (
    <li className="py-3">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p>
            <span className="font-semibold">{reportedBy}</span> reported{' '}
            <span className="font-semibold">{reported}</span>
          </p>
          <p className="text-sm text-ink-2">
            {dateAndTimeText(createdAt)} · {messages.length} {messages.length === 1 ? 'message' : 'messages'}{' '}
            named
            {closedAt !== null && ` · Closed ${dateAndTimeText(closedAt)}`}
          </p>
        </div>
        {closedAt === null && (
          <Button
            variant="secondary"
            aria-label={`Close the report by ${reportedBy}`}
            isBusy={isLoading}
            onClick={() => void closeIt()}
          >
            Close
          </Button>
        )}
      </div>
      {note && <p className="mt-1 break-words">{note}</p>}
      {attached.map((message) => (
        <blockquote key={message.id} className="mt-1 border-l-2 border-line pl-3 break-words text-ink-2">
          {message.text}
        </blockquote>
      ))}
      {attached.length > 0 && (
        <p className="mt-1 text-sm text-ink-2">Attached by the reporter. It cannot be proven.</p>
      )}
    </li>
  )
}
