import { useEffect, useRef } from 'react'
import { useAuth } from '../session/auth-context.ts'
import { heap } from '../lock/heap.ts'
import { beginAnew, lockNow } from '../lock/lock-now.ts'
import { useAppDispatch } from '../../app/store.ts'
import { sessionApi } from '../session/session-api.ts'

/** Arriving at the calculator locks, by whatever way: the server is told, and a page that held secrets is replaced. */
export function useLockOnArrival(): void {
  const { user, isLoading } = useAuth()
  const dispatch = useAppDispatch()
  const isSettled = useRef(false)

  useEffect(() => {
    if (isSettled.current || isLoading) return
    isSettled.current = true
    const isUnlocked = user?.unlockedUntil != null
    if (!isUnlocked) {
      if (heap.holdsSecrets) beginAnew()
      return
    }
    void lockNow().then(() => {
      dispatch(
        sessionApi.util.updateQueryData('getUser', undefined, (draft) => {
          if (draft) draft.unlockedUntil = null
        }),
      )
    })
  }, [user, isLoading, dispatch])
}
