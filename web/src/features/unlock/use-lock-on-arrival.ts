import { useEffect, useRef } from 'react'
import { sessionSecrets } from '../lock/session-secrets.ts'
import { hardReload, lockNow } from '../lock/lock-now.ts'
import { pendingLock } from '../lock/pending-lock.ts'
import { useAuth } from '../session/auth-context.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { isKnownDevice } from '../session/known-device.ts'

/**
 * Locks whenever a person arrives at the calculator: sends the lock, and replaces a page that held secrets. Also locks
 * when the session turns out to be unlocked later. Does nothing while a number is being tried or after it was right.
 */
export function useLockOnArrival(hasUnlocked: boolean, isTrying: boolean): void {
  const { user, isSignedOut, error } = useAuth()
  const isDone = useRef(false)

  useEffect(() => {
    if (!isKnownDevice()) return
    // If the page closes before it knows who is signed in, the next page sends the lock.
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
      // A recorded lock replaces the page itself, after sending unsent messages.
      if (sessionSecrets.holdsSecrets && pendingLock.status() === 'settled') hardReload()
    }
  }, [user, isSignedOut, error, hasUnlocked, isTrying])
}

function owe(): void {
  pendingLock.record()
  void pendingLock.settle()
}
