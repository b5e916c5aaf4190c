import type { Access } from '@sumlock/contracts/admin-action-routes'
import type { ExportedPage } from '@sumlock/contracts/export-routes'
import type { NewBox } from '@sumlock/contracts/identity-routes'
import type { NotificationPreferences } from '@sumlock/contracts/notification-routes'
import type { SessionView } from '@sumlock/contracts/session-list-routes'
import { api } from '../../api/base-api.ts'
import type { ApiError } from '../../api/client.ts'

/** This limit allows for many thousand messages over a slow connection. */
const exportTimeoutMs = 300_000

/** A streamed answer has no length, so its last element marks it as complete. */
const incompleteExport: ApiError = {
  status: 0,
  code: 'incomplete',
  sentence: 'The file was not received completely. Please try again.',
  message: '0: incomplete',
}

/** A lock makes the server break off the answer, which looks like a lost connection. */
const endedByLock: ApiError = {
  status: 423,
  code: 'locked',
  sentence: 'The app was locked, which ended the export. No file was saved. Unlock the app and export again.',
  message: '423: locked',
}

export interface PinChange {
  currentNumericPassword: string
  numericPassword: string
  /** These boxes hold the person's keys, sealed for the new number. */
  boxes?: readonly NewBox[]
  pinVersion?: number
}

const settingsApi = api
  .enhanceEndpoints({ addTagTypes: ['NotificationPreferences', 'Sessions'] })
  .injectEndpoints({
    endpoints: (build) => ({
      getNotificationPreferences: build.query<NotificationPreferences, void>({
        query: () => ({ url: '/api/notification-preferences' }),
        providesTags: ['NotificationPreferences'],
      }),
      setNotificationPreferences: build.mutation<unknown, NotificationPreferences>({
        query: (body) => ({ url: '/api/notification-preferences', method: 'PUT', body }),
        invalidatesTags: ['NotificationPreferences'],
      }),
      getStorage: build.query<{ usedBytes: number; limitBytes: number }, void>({
        query: () => ({ url: '/api/media/storage' }),
      }),
      setUpPin: build.mutation<unknown, { numericPassword: string; isDiscreet: boolean }>({
        query: (body) => ({ url: '/api/setup-numeric-password', method: 'POST', body }),
      }),
      changePin: build.mutation<unknown, PinChange>({
        query: (body) => ({ url: '/api/change-numeric-password', method: 'POST', body }),
      }),
      changePassword: build.mutation<unknown, { password: string; newPassword: string }>({
        query: (body) => ({ url: '/api/password/change', method: 'POST', body }),
      }),
      setDiscreetMode: build.mutation<unknown, { isDiscreet: boolean }>({
        query: (body) => ({ url: '/api/discreet-mode', method: 'POST', body }),
        invalidatesTags: ['User'],
      }),
      changeFullName: build.mutation<unknown, { password: string; fullName: string }>({
        query: (body) => ({ url: '/api/account/full-name', method: 'POST', body }),
        invalidatesTags: ['User'],
      }),
      changeEmail: build.mutation<unknown, { password: string; email: string }>({
        query: (body) => ({ url: '/api/account/email', method: 'POST', body }),
      }),
      changePhone: build.mutation<unknown, { password: string; phone: string }>({
        query: (body) => ({ url: '/api/account/phone', method: 'POST', body }),
        invalidatesTags: ['User'],
      }),
      exportAccount: build.mutation<object, { password: string }>({
        query: (body) => ({ url: '/api/export/account', method: 'POST', body }),
      }),
      /** This is a mutation, because a query would leave the messages in the cache. */
      exportMessages: build.mutation<ExportedPage[], void>({
        queryFn: async (_argument, _api, _options, baseQuery) => {
          const { data, error } = await baseQuery({
            url: '/api/export/messages',
            timeoutMs: exportTimeoutMs,
          })
          if (error && error.status !== 0) return { error }
          const elements = (data ?? []) as (ExportedPage | { complete: true })[]
          if ('complete' in (elements.at(-1) ?? {}))
            return { data: elements.filter((element) => 'messages' in element) }
          // This call shows whether a lock ended the export. It is quiet, because a refusal would otherwise replace the
          // page before the person reads the sentence.
          const check = await baseQuery({ url: '/api/media/storage', isQuiet: true })
          const isLocked = check.error?.status === 423
          return { error: isLocked ? endedByLock : (error ?? incompleteExport) }
        },
      }),
      resetApp: build.mutation<{ dueAt?: string }, { password: string }>({
        query: (body) => ({ url: '/api/reset-app', method: 'POST', body }),
        // After a reset that was carried out, the user is not fetched, because the page is about to be replaced.
        invalidatesTags: (answer) => (answer?.dueAt ? ['User'] : []),
      }),
      deleteAccount: build.mutation<unknown, { password: string }>({
        query: (body) => ({ url: '/api/delete-account', method: 'POST', body }),
      }),
      rotateUserCode: build.mutation<{ userCode: string }, void>({
        query: () => ({ url: '/api/rotate-user-code', method: 'POST' }),
        invalidatesTags: ['User'],
      }),
    }),
  })

/** These endpoints list the sessions that have access to the account, and the actions of administrators on it. */
const accessApi = settingsApi.injectEndpoints({
  endpoints: (build) => ({
    listAccesses: build.query<Access[], void>({ query: () => ({ url: '/api/access-log' }) }),
    listGrantsByAdmins: build.query<Access[], void>({
      query: () => ({ url: '/api/access-log/premium' }),
    }),
    listSessions: build.query<SessionView[], void>({
      query: () => ({ url: '/api/sessions' }),
      providesTags: ['Sessions'],
      // The cache does not keep the sessions, because nothing may be left to show after a lock.
      keepUnusedDataFor: 0,
    }),
    endSession: build.mutation<unknown, { id: string; password: string }>({
      query: ({ id, password }) => ({ url: `/api/sessions/${id}/end`, method: 'POST', body: { password } }),
      invalidatesTags: ['Sessions'],
    }),
    endOtherSessions: build.mutation<unknown, { password: string }>({
      query: (body) => ({ url: '/api/sessions/end-others', method: 'POST', body }),
      invalidatesTags: ['Sessions'],
    }),
  }),
})

export const {
  useGetStorageQuery,
  useExportAccountMutation,
  useExportMessagesMutation,
  useGetNotificationPreferencesQuery,
  useSetNotificationPreferencesMutation,
  useSetUpPinMutation,
  useChangePinMutation,
  useChangePasswordMutation,
  useSetDiscreetModeMutation,
  useChangeFullNameMutation,
  useChangeEmailMutation,
  useChangePhoneMutation,
  useResetAppMutation,
  useDeleteAccountMutation,
  useRotateUserCodeMutation,
} = settingsApi

export const {
  useListAccessesQuery,
  useListGrantsByAdminsQuery,
  useListSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
} = accessApi
