import { sentenceOf } from '../../api/base-api.ts'
import { Card } from '../../shared/ui/Card.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { useListReportsQuery } from './admin-api.ts'

/** What people reported, the newest first. */
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
        {reports?.map(({ reportedBy, reported, messages, note, createdAt, conversationId }) => (
          <li key={`${conversationId} ${createdAt}`} className="py-3">
            <p>
              <span className="font-semibold">{reportedBy}</span> reported{' '}
              <span className="font-semibold">{reported}</span>
            </p>
            <p className="text-sm text-ink-2">
              {new Date(createdAt).toLocaleString()} · {messages.length}{' '}
              {messages.length === 1 ? 'message' : 'messages'} named
            </p>
            {note && <p className="mt-1 break-words">{note}</p>}
            {messages.map(
              ({ id, content }) =>
                content && (
                  <blockquote key={id} className="mt-1 border-l-2 border-line pl-3 break-words text-ink-2">
                    {content}
                  </blockquote>
                ),
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
