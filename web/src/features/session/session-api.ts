import type { UnlockAnswer } from '@sumlock/contracts/lock-routes'
import type { User } from '@sumlock/contracts/user'
import { api } from '../../api/base-api.ts'
import { pageOf } from '../../page.ts'
import type { Page } from '../../page.ts'
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
/** Every answer about the user also says whether the session is locked. */
export const noteUser = ({ lock }: Page, user: User | null): void =>
  lock.dispatch(user === null ? 'said-signed-out' : isUnlocked(user) ? 'said-open' : 'said-locked')

export const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The signed-in person; null when signed out. */
    getUser: build.query<User | null, void>({
      queryFn: async (_argument, { extra }) => {
        const page = pageOf({ extra })
        for (;;) {
          const signal = page.userFetch.signal()
          const answer = await page.client.request({ url: '/api/user' }, signal)
          if (signal.aborted) continue
          if ('error' in answer && answer.error.status !== 401) return { error: answer.error }
          const user = 'error' in answer ? null : (answer.data as User)
          noteUser(page, user)
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
} = sessionApi
