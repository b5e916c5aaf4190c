import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../shared/ui/Button.tsx'
import { Card, CenteredPage } from '../../shared/ui/Card.tsx'

const retryMs = 3000

/** Replaces a screen that needs the server, and retries every three seconds and on demand. */
export function Unreachable({ onRetry }: { onRetry: () => void }) {
  const navigate = useNavigate()
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    const timer = window.setInterval(() => retry(), retryMs)
    return () => window.clearInterval(timer)
  }, [])
  return (
    <CenteredPage>
      <Card>
        <h1 className="text-lg font-semibold">No connection</h1>
        <p className="mt-1 text-ink-2">We could not reach the server. Check your connection and try again.</p>
        <Button className="mt-4 w-full" onClick={onRetry}>
          Retry
        </Button>
        <Button variant="secondary" className="mt-2 w-full" onClick={() => void navigate('/')}>
          Back to the calculator
        </Button>
      </Card>
    </CenteredPage>
  )
}
