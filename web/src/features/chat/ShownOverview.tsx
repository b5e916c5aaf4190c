import { useMemo, useState } from 'react'
import { useSession } from '../../page.ts'
import { shortDateText } from '../../shared/lib/date-text.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { EmptyState } from '../../shared/ui/EmptyState.tsx'
import { OverviewIcon } from '../../shared/ui/icons.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { MediaOverview } from '../media/overview/MediaOverview.tsx'
import { createOverview } from './overview-items.ts'
import { useOlderPages } from './search/use-older-pages.ts'
import { useShownMessages } from './use-conversation.ts'

export interface ShownOverviewProps {
  /** The id of the conversation. */
  id: string
  /** The name of the other person. */
  name: string
  onClose: () => void
}

/** Shows the media of a conversation, and loads its earlier messages while the end of the media is near. */
export function ShownOverview({ id, name, onClose }: ShownOverviewProps) {
  const { userId, views } = useSession()
  const { state } = useShownMessages(id)
  const { messages, loaded, hasOlder, error } = state
  const [isNearEnd, setIsNearEnd] = useState(false)
  const [isStopped, setIsStopped] = useState(false)
  const { isFailed, retry } = useOlderPages(state, views.get(id), loaded && isNearEnd && !isStopped)
  const [overview] = useState(createOverview)
  const items = useMemo(() => overview(messages, { userId, name }), [overview, messages, userId, name])
  const oldest = messages[0]?.createdAt
  const foot = (
    <Foot
      {...{ isLoaded: loaded, hasOlder, isStopped, isFailed, oldest, onRetry: retry }}
      hasFailedAtFirst={!loaded && error !== null}
      isEmpty={items.length === 0}
      onStop={() => setIsStopped(true)}
      onMore={() => setIsStopped(false)}
    />
  )
  return <MediaOverview {...{ items, foot, onClose }} onNearEnd={setIsNearEnd} />
}

interface FootProps {
  isLoaded: boolean
  hasFailedAtFirst: boolean
  isEmpty: boolean
  hasOlder: boolean
  isStopped: boolean
  isFailed: boolean
  /** The earliest loaded message has this time. */
  oldest: string | undefined
  onRetry: () => void
  onStop: () => void
  onMore: () => void
}

function Foot(props: FootProps) {
  const { isLoaded, hasFailedAtFirst, isEmpty, hasOlder, isStopped, isFailed, oldest } = props
  if (isLoaded && !hasOlder && isEmpty) {
    return (
      <EmptyState icon={<OverviewIcon size={40} />} title="No media yet">
        Photos, videos and voice messages of this chat appear here.
      </EmptyState>
    )
  }
  const back = oldest === undefined ? '' : shortDateText(oldest, new Date())
  return (
    <div className={`flex flex-col items-center gap-2 p-4 text-sm text-ink-2 ${isEmpty ? 'm-auto' : ''}`}>
      {!isFailed && !hasFailedAtFirst && (hasOlder ? !isStopped : !isLoaded) && (
        <span aria-hidden>
          <Spinner />
        </span>
      )}
      <p role="status" className="text-center">
        {hasFailedAtFirst
          ? 'The messages could not be loaded. We keep trying while this page is open.'
          : isFailed
            ? 'Older messages could not be loaded. Check your connection.'
            : hasOlder
              ? `Looked back to ${back}${isStopped ? '' : '…'}`
              : isLoaded && 'Nothing older'}
      </p>
      {isFailed ? (
        <Button variant="secondary" onClick={props.onRetry}>
          Retry
        </Button>
      ) : (
        hasOlder && (
          <Button variant="secondary" onClick={isStopped ? props.onMore : props.onStop}>
            {isStopped ? 'Load older media' : 'Stop'}
          </Button>
        )
      )}
    </div>
  )
}
