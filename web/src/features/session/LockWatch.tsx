import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAuth } from './auth-context.ts'
import { isUnlocked } from './is-unlocked.ts'
import { absence } from '../lock/absence.ts'
import { pickerGraceMs } from '../lock/picker-grace.ts'
import { usePage } from '../../page.ts'
import type { Page } from '../../page.ts'

/** The server has the same time limits for an unlock. */
const idleMs = 10 * 60_000
const longestMs = 8 * 60 * 60_000
const checkEveryMs = 10_000
const reportEveryMs = 60_000
const signsOfLife = ['pointerdown', 'keydown', 'touchstart'] as const

/**
 * Wraps everything behind the calculator: locks an abandoned page, and leaves the page when the session is locked or
 * has ended.
 */
export function LockWatch({ children }: { children: ReactNode }) {
  const page = usePage()
  const { lock, client } = page
  const { user } = useAuth()
  const isSignedIn = user !== null
  const isOpen = isUnlocked(user)

  useEffect(
    () => (isSignedIn ? client.onSignedOut(() => lock.dispatch('session-lost')) : undefined),
    [client, lock, isSignedIn],
  )
  useEffect(() => {
    if (!isOpen) return
    const stopListening = [client.onLocked(() => lock.dispatch('said-locked')), lock.listen()]
    return () => {
      for (const stop of stopListening) stop()
    }
  }, [client, lock, isOpen])

  useEffect(() => (isOpen ? lockWhenHidden(page) : undefined), [page, isOpen])
  useEffect(() => (isOpen ? endWithoutActivity(page) : undefined), [page, isOpen])
  return children
}

function lockWhenHidden({ lock, pickerGrace }: Page): () => void {
  let timer: number | undefined
  const onHide = () => {
    window.clearTimeout(timer)
    absence.note(pickerGrace.isArmed() ? pickerGraceMs : undefined)
    timer = window.setTimeout(() => lock.dispatch('left'), absence.allowedMs())
  }
  const onShow = () => {
    window.clearTimeout(timer)
    // The timer may have stopped while the phone was asleep, so the clock is compared.
    if (absence.isOver()) lock.dispatch('left')
    absence.forget()
    pickerGrace.end()
  }
  const onChange = () => (document.hidden ? onHide() : onShow())
  // The stored absence of an earlier page was already evaluated when the lock was created.
  if (document.hidden) onHide()
  else absence.forget()
  document.addEventListener('visibilitychange', onChange)
  const onLeave = () => absence.note()
  window.addEventListener('pagehide', onLeave)
  return () => {
    window.clearTimeout(timer)
    absence.forget()
    document.removeEventListener('visibilitychange', onChange)
    window.removeEventListener('pagehide', onLeave)
  }
}

/**
 * Reports activity to the server, and locks after ten minutes without any, or after eight hours. Only elapsed time on
 * this device counts, so that a wrong clock or a dead network changes nothing.
 */
function endWithoutActivity({ lock, busy, client }: Page): () => void {
  const openedAt = Date.now()
  let activeAt = openedAt
  let reportedAt = openedAt
  // A clock that is set back must not delay the lock.
  const sinceMs = (at: number) => Math.abs(Date.now() - at)
  const isOver = () => sinceMs(activeAt) >= idleMs || sinceMs(openedAt) >= longestMs
  const onSign = () => {
    if (isOver()) {
      lock.dispatch('left')
      return
    }
    activeAt = Date.now()
    if (sinceMs(reportedAt) < reportEveryMs) return
    reportedAt = activeAt
    void client.request({ url: '/api/activity', method: 'POST' })
  }
  const check = () => {
    if (busy.isBusy()) onSign()
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
