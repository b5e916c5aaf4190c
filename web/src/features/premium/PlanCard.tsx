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

interface PlanCardProps {
  user: WholeUser
  onUpgrade: () => void
  /** Takes the focus where an upgrade has removed what had it. */
  titleRef: Ref<HTMLHeadingElement>
}

/** What the person has, until when and why, and the way to more. */
export function PlanCard({ user, onUpgrade, titleRef }: PlanCardProps) {
  const isPremium = user.subscriptionType === 'premium'
  // A locked session that signed in long ago is refused: the card then does without.
  const { data: timeline } = useGetTimelineQuery(undefined, { skip: !isPremium })
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
