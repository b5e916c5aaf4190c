import { useEffect, useEffectEvent } from 'react'
import { usePage } from '../../page.ts'

const dayMs = 86_400_000
/** This margin exceeds the error of `nowMs`, because a request before the change would still get the old limits. */
const marginMs = 1000

/** Calls back when limits change by time alone: at midnight UTC and when premium expires. */
export function useLimitTimer(premiumUntil: string | null, onDue: () => void): void {
  const { client } = usePage()
  const due = useEffectEvent(onDue)
  useEffect(() => {
    let timer: number
    const plan = () => {
      const nowMs = client.nowMs()
      const midnightMs = Math.ceil((nowMs + 1) / dayMs) * dayMs
      const endMs = premiumUntil === null ? Infinity : Date.parse(premiumUntil)
      const nextMs = endMs > nowMs ? Math.min(midnightMs, endMs) : midnightMs
      timer = window.setTimeout(
        () => {
          due()
          plan()
        },
        nextMs + marginMs - nowMs,
      )
    }
    plan()
    return () => window.clearTimeout(timer)
  }, [client, premiumUntil])
}
