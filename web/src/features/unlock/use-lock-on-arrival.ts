import { useEffect, useRef } from 'react'
import { useAuth } from '../session/auth-context.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { isKnownDevice } from '../device/known-device.ts'
import { usePage } from '../../page.ts'

/**
 * Locks whenever a person arrives at the calculator, also if the session turns out to be open only later. Does nothing
 * while a number is being tried and after a right one.
 */
export function useLockOnArrival(hasUnlocked: boolean, isTrying: boolean): void {
  const { lock } = usePage()
  const { user, isSignedOut, error } = useAuth()
  const isDone = useRef(false)

  useEffect(() => {
    if (!isKnownDevice()) return
    // This records the lock. If the page closes before the server has said who is signed in, the next page sends it.
    lock.dispatch('arrived')
    return () => {
      if (!isDone.current) lock.dispatch('unproven')
    }
  }, [lock])

  useEffect(() => {
    if (hasUnlocked) isDone.current = true
    if (hasUnlocked || isTrying) return
    if (isUnlocked(user)) {
      lock.dispatch('said-open')
      lock.dispatch('arrived')
    } else if (user === null && !isSignedOut) {
      if (error && !isDone.current) lock.dispatch('unproven')
      isDone.current ||= error !== null
      return
    } else lock.dispatch(isSignedOut ? 'said-signed-out' : 'said-locked')
    isDone.current = true
  }, [lock, user, isSignedOut, error, hasUnlocked, isTrying])
}
