import type { User } from '@sumlock/contracts/user'
import { useCallback, useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { api, asApiError } from '../../api/base-api.ts'
import { useAppDispatch } from '../../app/store.ts'
import { AuthContext } from './auth-context.ts'
import type { AuthContextValue } from './auth-context.ts'
import { rememberDevice } from './known-device.ts'
import {
  sessionApi,
  useGetUserQuery,
  useLoginMutation,
  useLogoutMutation,
  useRegisterMutation,
} from './session-api.ts'

/** Who is signed in, for everything below. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const dispatch = useAppDispatch()
  const { data, isLoading, error, refetch } = useGetUserQuery()
  const [sendLogin] = useLoginMutation()
  const [sendRegister] = useRegisterMutation()
  const [sendLogout] = useLogoutMutation()
  const user = data ?? null

  const keep = useCallback(
    async (next: User | null) => {
      await dispatch(sessionApi.util.upsertQueryData('getUser', undefined, next))
    },
    [dispatch],
  )
  useEffect(() => {
    if (user) rememberDevice()
  }, [user])

  const value = useMemo<AuthContextValue>(
    () => ({
      user,
      isLoading,
      error: asApiError(error) ?? null,
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
      logout: async () => {
        await sendLogout().unwrap()
        dispatch(api.util.resetApiState())
        await keep(null)
      },
      refresh: async () => (await refetch()).data ?? null,
    }),
    [user, isLoading, error, sendLogin, sendRegister, sendLogout, keep, dispatch, refetch],
  )
  return <AuthContext value={value}>{children}</AuthContext>
}
