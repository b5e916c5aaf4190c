import type { User } from '@sumlock/contracts/user'
import { api } from '../../api/base-api.ts'

export interface Credentials {
  username: string
  password: string
}

export interface Registration extends Credentials {
  email: string
  phone: string
  fullName: string
}

export interface PinAnswer {
  unlockedUntil?: string
  outboxKey?: string
  hint?: boolean
}

export const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The signed-in person; null when nobody is. */
    getUser: build.query<User | null, void>({
      queryFn: async (_none, _api, _extra, fetchIt) => {
        const { data, error } = await fetchIt({ url: '/api/user' })
        if (error && error.status === 401) return { data: null }
        return error ? { error: error } : { data: data as User }
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
    verifyPin: build.mutation<
      PinAnswer,
      { numericPassword: string; intent?: 'unlock' | 'probe'; entry?: 'password-mode' | 'digits' }
    >({
      query: (body) => ({ url: '/api/verify-numeric-password', method: 'POST', body }),
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
  useVerifyPinMutation,
  useLockMutation,
} = sessionApi
