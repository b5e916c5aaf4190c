import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { onLocked, request } from '../../api/request.ts'
import { useAuth } from '../session/auth-context.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { beginAnew, lockNow, onLockElsewhere } from './lock-now.ts'

const graceMs = 60_000
const reportEveryMs = 60_000
const signsOfLife = ['pointerdown', 'keydown', 'touchstart'] as const

/** Around everything behind the calculator: locks when the page is left alone, and leaves when the session is locked. */
export function LockWatch({ children }: { children: ReactNode }) {
  const { user } = useAuth()
  const isOpen = isUnlocked(user)

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
      void lockNow()
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
