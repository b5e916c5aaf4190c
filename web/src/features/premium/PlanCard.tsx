import { yearPrice } from '@sumlock/contracts/price'
import type { WholeUser } from '@sumlock/contracts/user'
import type { Ref } from 'react'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { dateText } from '../../shared/lib/date-text.ts'
import { useGetTimelineQuery } from './premium-api.ts'
import type { Timeline } from './premium-api.ts'

const reasonOf: Record<Timeline['segments'][number]['source'], string> = {
  direct: 'Upgrade',
  store: 'App store subscription',
  gift: 'Gift',
  code: 'Upgrade code',
  promo: 'Promo code',
  admin: 'Granted by our team',
}

type Ended = Timeline['ended'][number]
const endedSentence: Record<Ended['what'], string> = {
  upgrade: 'Premium that you had paid for ended',
  'received-gift': 'Premium that you were given ended',
  'given-gift': 'The gift that you had bought ended',
}
const endedBecause: Record<Ended['reason'], string> = {
  refunded: 'The payment was refunded.',
  disputed: 'The payment was disputed at the bank, and taken back.',
}

interface PlanCardProps {
  user: WholeUser
  onUpgrade: () => void
  /** The title takes the focus when an upgrade has removed the focused element. */
  titleRef: Ref<HTMLHeadingElement>
}

/** Shows the person's plan with its end and its reason, and offers an upgrade. */
export function PlanCard({ user, onUpgrade, titleRef }: PlanCardProps) {
  const isPremium = user.subscriptionType === 'premium'
  // The server refuses this call in a locked session that signed in long ago; the card then shows no timeline.
  const { data: timeline } = useGetTimelineQuery()
  return (
    <Card>
      <h2 ref={titleRef} tabIndex={-1} className="text-sm font-medium text-ink-2">
        Subscription
      </h2>
      <p className="mt-0.5 text-lg font-semibold">{isPremium ? 'Premium' : 'Free Plan'}</p>
      {isPremium && user.subscriptionExpiresAt && (
        <p className="text-sm text-ink-2">Until {dateText(user.subscriptionExpiresAt)}</p>
      )}
      {isPremium && timeline && timeline.segments.length > 0 && (
        <ul aria-label="Why you have Premium" className="mt-2 space-y-1 border-t border-line pt-2 text-sm">
          {timeline.segments.map(({ source, endsAt, startsAt }) => (
            <li key={`${source} ${startsAt}`} className="flex justify-between gap-4">
              <span>{reasonOf[source]}</span>
              <span className="text-ink-2">until {dateText(endsAt)}</span>
            </li>
          ))}
        </ul>
      )}
      {timeline && timeline.ended.length > 0 && (
        <ul aria-label="What has ended" className="mt-2 space-y-1 border-t border-line pt-2 text-sm">
          {timeline.ended.map(({ what, reason, at }) => (
            <li key={`${what} ${at}`}>
              {endedSentence[what]} on {dateText(at)}. {endedBecause[reason]}
            </li>
          ))}
        </ul>
      )}
      {!isPremium && user.dailyMessageCount !== null && (
        <p className="text-sm text-ink-2">
          Messages remaining today: {Math.max(0, 1 - user.dailyMessageCount)}
        </p>
      )}
      {!isPremium && (
        <Button className="mt-4 w-full" onClick={onUpgrade}>
          {`Upgrade to Premium - ${yearPrice.label}/year`}
        </Button>
      )}
    </Card>
  )
}
