import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { Link } from 'react-router-dom'
import { useWholeUser } from '../session/use-whole-user.ts'

/** The texts of the banner share a row and wrap inside it. */
export const bannerPartClass = 'flex-1 basis-[8em] py-1'

/** Shows how many messages a free person may still send today. Conversations without a limit do not count. */
export function DailyLimit({ conversations = [] }: { conversations: readonly Conversation[] | undefined }) {
  const user = useWholeUser()
  if (user?.subscriptionType !== 'free') return null
  const counted = conversations.find(({ unlimited }) => !unlimited)
  const hasUncounted = conversations.some(({ unlimited }) => unlimited)
  const remaining = counted?.messagesRemaining ?? Math.max(0, 1 - (user.dailyMessageCount ?? 0))
  return (
    <>
      <p className={bannerPartClass}>
        <span className="block">Messages remaining today: {remaining}</span>
        {hasUncounted &&
          (counted ? 'Some conversations have no limit.' : 'Your conversations have no limit.')}
      </p>
      <Link
        to="/settings"
        state={{ upgrade: true }}
        className="inline-flex min-h-11 flex-1 basis-[5em] items-center justify-center font-medium text-accent underline-offset-2 hover:underline"
      >
        Upgrade to Premium
      </Link>
    </>
  )
}
