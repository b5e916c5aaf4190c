import type { UnlockAnswer } from '@sumlock/contracts/lock-routes'
import type { User } from '@sumlock/contracts/user'
import { api } from '../../api/base-api.ts'
import { request } from '../../api/request.ts'
import { lock } from '../lock/lock-effects.ts'
import { isUnlocked } from './is-unlocked.ts'

export interface Credentials {
  username: string
  password: string
}

export interface Registration extends Credentials {
  email: string
  phone: string
  fullName: string
}

const verifyPath = '/api/verify-numeric-password'
let asked = new AbortController()

/** Restarts a running fetch of the user, because an unlock or a lock has outdated its answer. */
export const restartUserFetch = (): void => {
  asked.abort()
  asked = new AbortController()
}

/** The server's word on the lock comes with each answer about the user. */
export const noteUser = (user: User | null): void =>
  lock.dispatch(user === null ? 'said-signed-out' : isUnlocked(user) ? 'said-open' : 'said-locked')

export const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The signed-in person; null when signed out. */
    getUser: build.query<User | null, void>({
      queryFn: async () => {
        for (;;) {
          const { signal } = asked
          const answer = await request({ url: '/api/user' }, signal)
          if (signal.aborted) continue
          if ('error' in answer && answer.error.status !== 401) return { error: answer.error }
          const user = 'error' in answer ? null : (answer.data as User)
          noteUser(user)
          return { data: user }
        }
      },
      providesTags: ['User'],
    }),
    login: build.mutation<User, Credentials>({
      query: (body) => ({ url: '/api/login', method: 'POST', body }),
    }),
    register: build.mutation<User, Registration>({
      query: (body) => ({ url: '/api/register', method: 'POST', body }),
    }),
    logout: build.mutation<unknown, void>({
      query: () => ({ url: '/api/logout', method: 'POST' }),
    }),
    keepAccount: build.mutation<unknown, void>({
      query: () => ({ url: '/api/keep-account', method: 'POST' }),
      invalidatesTags: ['User'],
    }),
    unlock: build.mutation<UnlockAnswer, { numericPassword: string; entry: 'password-mode' | 'digits' }>({
      query: (body) => ({ url: verifyPath, method: 'POST', body }),
    }),
    probePin: build.mutation<{ hint: boolean }, { numericPassword: string }>({
      query: (body) => ({ url: verifyPath, method: 'POST', body: { ...body, intent: 'probe' } }),
    }),
    lock: build.mutation<unknown, void>({
      query: () => ({ url: '/api/lock', method: 'POST' }),
    }),
  }),
})

export const {
  useGetUserQuery,
  useLoginMutation,
  useRegisterMutation,
  useLogoutMutation,
  useKeepAccountMutation,
  useUnlockMutation,
  useProbePinMutation,
  useLockMutation,
} = sessionApi
