import type { AdminActionView } from '@sumlock/contracts/admin-action-routes'
import { useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { dateAndTimeText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { useListActionsInfiniteQuery } from './admin-api.ts'
import type { ActionSubject } from './admin-api.ts'
import { LoadMore } from './LoadMore.tsx'

const subjects: readonly [ActionSubject, string][] = [
  ['accounts', 'Accounts'],
  ['premium', 'Premium'],
  ['reports', 'Reports'],
]

/**
 * Lists the actions of administrators. The list is loaded on request only, because reading it is also recorded as an
 * action.
 */
export function ActionList() {
  const [subject, setSubject] = useState<ActionSubject | null>(null)
  return (
    <Card>
      <h2 className="text-lg font-semibold">Actions of administrators</h2>
      <p className="mt-1 text-ink-2">
        What was done and read within a year. Reading this list is one of the actions.
      </p>
      <div role="group" aria-label="Actions of administrators" className="mt-3 flex flex-wrap gap-2">
        {subjects.map(([value, label]) => (
          <Button
            key={value}
            variant={subject === value ? 'primary' : 'secondary'}
            aria-pressed={subject === value}
            onClick={() => setSubject(value)}
          >
            {label}
          </Button>
        ))}
      </div>
      {subject && <Actions key={subject} subject={subject} />}
    </Card>
  )
}

function Actions({ subject }: { subject: ActionSubject }) {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useListActionsInfiniteQuery(
    subject,
    { refetchOnMountOrArgChange: true },
  )
  const actions = data?.pages.flat()
  return (
    <div className="mt-3 space-y-3">
      {error !== undefined && (
        <>
          <Notice kind="error">{sentenceOf(error, 'The actions could not be loaded.')}</Notice>
          <Button variant="secondary" onClick={() => void refetch()}>
            Retry
          </Button>
        </>
      )}
      {!actions && isFetching && <Spinner label="Loading actions..." />}
      {actions?.length === 0 && <p className="text-ink-2">No actions</p>}
      <ul className="divide-y divide-line">
        {actions?.map((action) => (
          <li key={action.id} className="py-2">
            <p className="break-words">
              <span className="font-semibold">{action.admin}</span> {verbOf(action)}
            </p>
            <p className="text-sm break-words text-ink-2">
              {[dateAndTimeText(action.at), peopleOf(action)].filter(Boolean).join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      {hasNextPage && <LoadMore isBusy={isFetching} onPress={() => void fetchNextPage()} />}
    </div>
  )
}

function verbOf({ action, days = 0 }: AdminActionView): string {
  switch (action) {
    case 'users-listed':
      return 'looked at the list of users'
    case 'users-searched':
      return 'searched the users'
    case 'user-suspended':
      return 'suspended a user'
    case 'user-unsuspended':
      return 'lifted a suspension'
    case 'premium-granted':
      return `gave ${days} ${days === 1 ? 'day' : 'days'} of Premium`
    case 'reports-listed':
      return 'read the reports'
    case 'report-closed':
      return 'closed a report'
    case 'conversations-listed':
      return 'saw with whom listed users have conversations'
    case 'actions-listed':
      return 'read these actions'
  }
}

function peopleOf({ people, peopleCount }: AdminActionView): string {
  const others = peopleCount - people.length
  return people.join(', ') + (others > 0 ? ` and ${others} more` : '')
}
