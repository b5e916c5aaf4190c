import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { onLocked, onSignedOut, request } from '../../api/request.ts'
import { useAuth } from './auth-context.ts'
import { isUnlocked } from './is-unlocked.ts'
import { isBusy } from '../lock/busy.ts'
import { leftAlone } from '../lock/left-alone.ts'
import { pickerGrace, pickerGraceMs } from '../lock/picker-grace.ts'
import { lock } from '../lock/lock-effects.ts'

/** The time limits of an unlock, as on the server. */
const idleMs = 10 * 60_000
const longestMs = 8 * 60 * 60_000
const checkEveryMs = 10_000
const reportEveryMs = 60_000
const signsOfLife = ['pointerdown', 'keydown', 'touchstart'] as const

/**
 * Wraps everything behind the calculator: locks an abandoned page, and leaves when the session is locked or has ended.
 */
export function LockWatch({ children }: { children: ReactNode }) {
  const { user } = useAuth()
  const isSignedIn = user !== null
  const isOpen = isUnlocked(user)

  useEffect(() => (isSignedIn ? onSignedOut(() => lock.dispatch('session-lost')) : undefined), [isSignedIn])
  useEffect(() => {
    if (!isOpen) return
    const stopListening = [onLocked(() => lock.dispatch('said-locked')), lock.listen()]
    return () => {
      for (const stop of stopListening) stop()
    }
  }, [isOpen])

  useEffect(() => (isOpen ? lockWhenHidden() : undefined), [isOpen])
  useEffect(() => (isOpen ? endWithoutActivity() : undefined), [isOpen])
  return children
}

function lockWhenHidden(): () => void {
  let timer: number | undefined
  const onHide = () => {
    window.clearTimeout(timer)
    leftAlone.note(pickerGrace.isArmed() ? pickerGraceMs : undefined)
    timer = window.setTimeout(() => lock.dispatch('left'), leftAlone.allowedMs())
  }
  const onShow = () => {
    window.clearTimeout(timer)
    // Timers stop while the phone sleeps, but the clock goes on.
    if (leftAlone.isOver()) lock.dispatch('left')
    leftAlone.forget()
    pickerGrace.end()
  }
  const onChange = () => (document.hidden ? onHide() : onShow())
  // The stamp of an earlier page was evaluated at the load.
  if (document.hidden) onHide()
  else leftAlone.forget()
  document.addEventListener('visibilitychange', onChange)
  const onLeave = () => leftAlone.note()
  window.addEventListener('pagehide', onLeave)
  return () => {
    window.clearTimeout(timer)
    leftAlone.forget()
    document.removeEventListener('visibilitychange', onChange)
    window.removeEventListener('pagehide', onLeave)
  }
}

/** Reports activity, and locks without it. Uses elapsed time, so that a wrong clock or a dead network changes nothing. */
function endWithoutActivity(): () => void {
  const openedAt = Date.now()
  let activeAt = openedAt
  let reportedAt = openedAt
  const isOver = () => Date.now() - activeAt >= idleMs || Date.now() - openedAt >= longestMs
  const onSign = () => {
    if (isOver()) {
      lock.dispatch('left')
      return
    }
    activeAt = Date.now()
    if (activeAt - reportedAt < reportEveryMs) return
    reportedAt = activeAt
    void request({ url: '/api/activity', method: 'POST' })
  }
  const check = () => {
    if (isBusy()) onSign()
    else if (isOver()) lock.dispatch('left')
  }
  const timer = window.setInterval(check, checkEveryMs)
  document.addEventListener('visibilitychange', check)
  window.addEventListener('focus', check)
  for (const sign of signsOfLife) window.addEventListener(sign, onSign, { passive: true, capture: true })
  return () => {
    window.clearInterval(timer)
    document.removeEventListener('visibilitychange', check)
    window.removeEventListener('focus', check)
    for (const sign of signsOfLife) window.removeEventListener(sign, onSign, { capture: true })
  }
}
