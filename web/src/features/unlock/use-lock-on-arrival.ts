import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useEffect, useRef } from 'react'
import { useAuth } from '../session/auth-context.ts'
import { heap } from '../lock/heap.ts'
import { beginAnew, lockNow } from '../lock/lock-now.ts'
import { useAppDispatch } from '../../app/store.ts'
import { isUnlocked } from '../session/is-unlocked.ts'
import { sessionApi } from '../session/session-api.ts'

/** Arriving at the calculator locks, by whatever way: the server is told, and a page that held secrets is replaced. */
export function useLockOnArrival(): void {
  const { user, isLoading } = useAuth()
  const dispatch = useAppDispatch()
  const isSettled = useRef(false)

  useEffect(() => {
    if (isSettled.current || isLoading) return
    isSettled.current = true
    if (!isUnlocked(user)) {
      if (heap.holdsSecrets) beginAnew()
      return
    }
    void lockNow().then(() => {
      dispatch(
        sessionApi.util.updateQueryData('getUser', undefined, (draft) => {
          if (draft && isWholeUser(draft)) draft.unlockedUntil = null
        }),
      )
    })
  }, [user, isLoading, dispatch])
}
