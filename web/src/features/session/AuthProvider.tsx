import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { api, asApiError } from '../../api/base-api.ts'
import { isCalculatorPath } from '../../shared/lib/calculator-path.ts'
import { useAppDispatch } from '../../api/store.ts'
import { useLockStatus } from '../lock/use-lock-status.ts'
import { AuthContext } from './auth-context.ts'
import type { AuthContextValue } from './auth-context.ts'
import { isDiscreet } from './is-discreet.ts'
import { isKnownDevice } from '../device/known-device.ts'
import { rememberDevice } from '../device/remember-device.ts'
import { leaveAccount } from './leave-account.ts'
import { useProofAtLoad } from './use-proof-at-load.ts'
import {
  noteUser,
  sessionApi,
  useGetUserQuery,
  useLoginMutation,
  useLogoutMutation,
  useRegisterMutation,
} from './session-api.ts'
import { usePage } from '../../page.ts'

const flushMs = 2000
/** Provides the signed-in user to the components inside. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const page = usePage()
  const { onSignedOut } = page.client
  const dispatch = useAppDispatch()
  const { pathname } = useLocation()
  const isWaiting = useLockOfEarlierPage()
  const isStranger = isCalculatorPath(pathname) && !isKnownDevice()
  const { data, isLoading, error } = useGetUserQuery(undefined, { skip: isWaiting || isStranger })
  const user = data ?? null
  useProofAtLoad(isStranger || data !== undefined, error !== undefined)
  const actions = useSessionActions()
  const setUnlockedUntil = useCallback(
    (until: string | null) => {
      page.userFetch.restart()
      dispatch(
        sessionApi.util.updateQueryData('getUser', undefined, (draft) => {
          if (draft && isWholeUser(draft)) draft.unlockedUntil = until
        }),
      )
    },
    [page, dispatch],
  )
  const refresh = useCallback(async () => {
    const options = { forceRefetch: true, subscribe: false }
    return (await dispatch(sessionApi.endpoints.getUser.initiate(undefined, options))).data ?? null
  }, [dispatch])

  useEffect(() => {
    if (user) rememberDevice(isDiscreet(user))
  }, [user])
  // The cached user is removed without a fetch, because the screen that follows a refused call must not see the old
  // user.
  const isSignedIn = user !== null
  useEffect(() => {
    if (!isSignedIn) return
    return onSignedOut(() => dispatch(sessionApi.util.updateQueryData('getUser', undefined, () => null)))
  }, [isSignedIn, onSignedOut, dispatch])
  useEndOfUnlock(() => setUnlockedUntil(null), refresh)

  const value = useMemo<AuthContextValue>(
    () => ({
      user,
      isLoading: isLoading || isWaiting,
      error: asApiError(error) ?? null,
      isSignedOut: data === null,
      ...actions,
      refresh,
      markUnlocked: setUnlockedUntil,
    }),
    [user, data, isLoading, isWaiting, error, actions, refresh, setUnlockedUntil],
  )
  return <AuthContext value={value}>{children}</AuthContext>
}

/** Returns the actions that sign people in, up and out. Each stores its result as the cached user. */
function useSessionActions(): Pick<AuthContextValue, 'login' | 'register' | 'logout'> {
  const page = usePage()
  const dispatch = useAppDispatch()
  const [sendLogin] = useLoginMutation()
  const [sendRegister] = useRegisterMutation()
  const [sendLogout] = useLogoutMutation()
  return useMemo(() => {
    const keep = async (next: User | null) => {
      if (next) noteUser(page, next)
      await dispatch(sessionApi.util.upsertQueryData('getUser', undefined, next))
    }
    return {
      login: async (credentials) => {
        const signedIn = await sendLogin(credentials).unwrap()
        await keep(signedIn)
        return signedIn
      },
      register: async (registration) => {
        const registered = await sendRegister(registration).unwrap()
        await keep(registered)
        return registered
      },
      logout: async (onEnded) => {
        await page.session?.flush(flushMs)
        await leaveAccount(page, () => sendLogout().unwrap(), onEnded)
        dispatch(api.util.resetApiState())
        await keep(null)
      },
    }
  }, [page, dispatch, sendLogin, sendRegister, sendLogout])
}

/**
 * Returns true until a lock that an earlier page has recorded has reached the server. No other request may be sent
 * before.
 */
function useLockOfEarlierPage(): boolean {
  const status = useLockStatus()
  const [wasOwed, setWasOwed] = useState(status !== 'nothing-owed')
  useEffect(() => {
    if (status === 'nothing-owed') setWasOwed(false)
  }, [status])
  return wasOwed && status !== 'nothing-owed'
}

/**
 * Calls `onLock` when a lock is recorded or the server says that the session is locked, and fetches the user again once
 * no lock is owed any more.
 */
function useEndOfUnlock(onLock: () => void, refresh: () => Promise<User | null>): void {
  const { lock } = usePage()
  const status = useLockStatus()
  const isOpen = useSyncExternalStore(lock.subscribe, () => lock.state() === 'open')
  const before = useRef({ status, isOpen })
  useEffect(() => {
    const was = before.current
    before.current = { status, isOpen }
    if ((was.isOpen && !isOpen) || (was.status === 'nothing-owed' && status !== 'nothing-owed')) onLock()
    if (was.status !== 'nothing-owed' && status === 'nothing-owed') void refresh()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only a change of the lock counts
  }, [status, isOpen])
}
