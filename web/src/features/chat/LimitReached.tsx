import { useState } from 'react'
import { Link } from 'react-router-dom'
import { clockText } from '../../shared/lib/date-text.ts'
import { usePage } from '../../page.ts'

export function LimitReached() {
  const { client } = usePage()
  const [nowMs] = useState(client.nowMs)
  return (
    <div className="max-h-[max(120px,30dvh)] overflow-y-auto rounded-2xl border border-line bg-surface p-3 text-center text-sm">
      <p>Daily message limit reached. Upgrade to premium for unlimited messages.</p>
      <p className="mt-1 text-ink-2">Next free message at {clockText(nextDay(nowMs))}</p>
      <Link
        to="/settings"
        state={{ upgrade: true }}
        className="mt-1 inline-flex min-h-11 items-center font-medium text-accent underline-offset-2 hover:underline"
      >
        Upgrade to Premium
      </Link>
    </div>
  )
}

/** The free message of a day becomes available at midnight UTC. */
const nextDay = (nowMs: number) => new Date(new Date(nowMs).setUTCHours(24, 0, 0, 0)).toISOString()
