import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { Unreachable } from './Unreachable.tsx'
import { useLockStatus } from '../lock/use-lock-status.ts'
import { usePage } from '../../page.ts'

/** Shows the screens behind the calculator only if no recorded lock waits to be sent. */
export function LockGate({ children }: { children: ReactNode }) {
  const { place, lock } = usePage()
  const status = useLockStatus()
  const { pathname } = useLocation()
  const [isFirst] = useState(place.isLoadedInside)
  const [wasOpen, setWasOpen] = useState(false)
  const [hasFailed, setHasFailed] = useState(status === 'owed')
  const isOpen = status === 'nothing-owed'
  useEffect(() => {
    if (status === 'nothing-owed') setWasOpen(true)
    if (status === 'owed') setHasFailed(true)
  }, [status])

  if (isOpen) return children
  if (wasOpen) return <Navigate to="/" replace />
  if (status === 'sending' && !hasFailed) return <FullPageSpinner />
  // Only a tap on Settings shows the failure with a Retry button. A page that was loaded at this address, and Back,
  // lead to the calculator.
  return isFirst || pathname !== '/settings' ? (
    <Navigate to="/" replace />
  ) : (
    <Unreachable onRetry={() => void lock.settle()} />
  )
}
