import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { onLocked, onSignedOut, request } from '../../api/request.ts'
import { page } from '../../shared/lib/page.ts'
import { coverUntil, holdCover } from '../cover/cover.ts'
import { useAuth } from '../session/auth-context.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { isDiscreetDevice } from '../session/known-device.ts'
import { beginAnew, lockNow, onLockElsewhere } from './lock-now.ts'

const graceMs = 60_000
const reportEveryMs = 60_000
const signsOfLife = ['pointerdown', 'keydown', 'touchstart'] as const

/** Around everything behind the calculator: locks when the page is left alone, and leaves when the session is locked or gone. */
export function LockWatch({ children }: { children: ReactNode }) {
  const { user } = useAuth()
  const isSignedIn = user !== null
  const isOpen = isUnlocked(user)

  useEffect(() => (isSignedIn ? onSignedOut(leaveForGood) : undefined), [isSignedIn])
  useEffect(() => {
    if (!isOpen) return
    const stopListening = [onLocked(beginAnew), onLockElsewhere(beginAnew)]
    return () => {
      for (const stop of stopListening) stop()
    }
  }, [isOpen])

  useEffect(() => (isOpen ? lockWhenHidden() : undefined), [isOpen])
  useEffect(() => (isOpen ? reportActivity() : undefined), [isOpen])
  return children
}

/** The session is gone: what is on the screen goes with the page, as at a lock. */
function leaveForGood(): void {
  holdCover()
  page.replace(isDiscreetDevice() ? '/' : '/auth')
}

function lockWhenHidden(): () => void {
  let timer: number | undefined
  let hiddenAt = 0
  const onChange = () => {
    window.clearTimeout(timer)
    if (document.hidden) {
      hiddenAt = Date.now()
      timer = window.setTimeout(() => void lockNow(), graceMs)
    } else if (hiddenAt > 0 && Date.now() - hiddenAt >= graceMs) {
      // Timers sleep with the phone; the clock does not.
      coverUntil(lockNow())
    }
  }
  document.addEventListener('visibilitychange', onChange)
  return () => {
    window.clearTimeout(timer)
    document.removeEventListener('visibilitychange', onChange)
  }
}

function reportActivity(): () => void {
  let reportedAt = Date.now()
  const onSign = () => {
    if (Date.now() - reportedAt < reportEveryMs) return
    reportedAt = Date.now()
    void request({ url: '/api/activity', method: 'POST' })
  }
  for (const sign of signsOfLife) window.addEventListener(sign, onSign, { passive: true })
  return () => {
    for (const sign of signsOfLife) window.removeEventListener(sign, onSign)
  }
}
