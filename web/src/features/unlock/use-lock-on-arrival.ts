import { useEffect, useRef } from 'react'
import { heap } from '../lock/heap.ts'
import { beginAnew, lockNow } from '../lock/lock-now.ts'
import { pendingLock } from '../lock/pending-lock.ts'
import { useAuth } from '../session/auth-context.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { isKnownDevice } from '../session/known-device.ts'

/**
 * Arriving at the calculator locks, by whatever way: the server is told, and a page that held secrets is replaced.
 * So does a user who turns out unlocked later. Nothing is left to do once the number was entered here, and nothing is
 * decided while it is tried.
 */
export function useLockOnArrival(hasUnlocked: boolean, isTrying: boolean): void {
  const { user, isSignedOut, error } = useAuth()
  const isDone = useRef(false)

  useEffect(() => {
    if (!isKnownDevice()) return
    // A page that is closed before the server told who is signed in leaves the lock to the next one.
    pendingLock.arm()
    return () => {
      if (!isDone.current) owe()
    }
  }, [])

  useEffect(() => {
    if (isTrying && !hasUnlocked) return
    if (isDone.current && !hasUnlocked && isUnlocked(user)) void lockNow()
    const isKnown = user !== null || isSignedOut
    if (isDone.current || (!isKnown && !error && !hasUnlocked)) return
    isDone.current = true
    if (hasUnlocked) return
    if (isUnlocked(user)) void lockNow()
    else if (!isKnown) owe()
    else {
      pendingLock.disarm()
      // A lock that is owed replaces the page itself, after what is unsent was sent.
      if (heap.holdsSecrets && pendingLock.status() === 'settled') beginAnew()
    }
  }, [user, isSignedOut, error, hasUnlocked, isTrying])
}

function owe(): void {
  pendingLock.record()
  void pendingLock.settle()
}
