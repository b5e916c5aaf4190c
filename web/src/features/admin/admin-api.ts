import type { AdminActionView } from '@sumlock/contracts/admin-action-routes'
import type { ListedUser } from '@sumlock/contracts/admin-routes'
import type { Report } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import { api } from '../../api/base-api.ts'
import { pageOf } from '../../page.ts'
import type { ApiError, ApiRequest } from '../../api/client.ts'

export interface UserPage {
  users: ListedUser[]
  /** The number of all users is undefined for a search. */
  total: number | undefined
}

/** Each subject has its own list of actions, recorded by the service that handles the subject. */
export type ActionSubject = 'accounts' | 'premium' | 'reports'

/** `total` is the number of all entries, if the answer is one page of them. */
type Meta = { total: number | undefined } | undefined
type Send = (input: ApiRequest) => PromiseLike<{ data?: unknown; error?: ApiError; meta?: Meta }>

/**
 * Sends a call. If the server first requires the account password, the call is sent again after the admin has given it.
 */
async function asAdmin<T>(
  { extra }: { extra: unknown },
  send: Send,
  input: ApiRequest,
  read: (data: unknown, meta: Meta) => T = (data) => data as T,
): Promise<{ data: T } | { error: ApiError }> {
  for (;;) {
    const { data, error, meta } = await send(input)
    if (!error) return { data: read(data, meta) }
    if (error.code !== 'step_up_required' || !(await pageOf({ extra }).passwordPrompt.ask())) return { error }
  }
}

const pathOf = (path: string, query: Readonly<Record<string, string | undefined>>) => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return [path, String(new URLSearchParams(given))].filter(Boolean).join('?')
}

const adminApi = api.enhanceEndpoints({ addTagTypes: ['Users', 'Reports'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Lists the users that a search finds, newest first; an empty search finds all. */
    listUsers: build.infiniteQuery<UserPage, string, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: ({ users, total }, pages) => {
          const known = pages.reduce((count, page) => count + page.users.length, 0)
          const isMore = total === undefined ? users.length === limits.listedUsers : known < total
          return isMore ? users.at(-1)?.id : undefined
        },
      },
      queryFn: ({ queryArg: q, pageParam: before }, call, _options, send) =>
        asAdmin(call, send, { url: pathOf('/api/admin/users', { q, before }) }, (data, meta) => ({
          users: data as ListedUser[],
          total: meta?.total,
        })),
      providesTags: ['Users'],
    }),
    /** Lists the actions of administrators, latest first. */
    listActions: build.infiniteQuery<AdminActionView[], ActionSubject, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: (actions) =>
          actions.length === limits.listedActions ? actions.at(-1)?.id : undefined,
      },
      queryFn: ({ queryArg: subject, pageParam: before }, call, _options, send) =>
        asAdmin<AdminActionView[]>(call, send, { url: pathOf(`/api/admin/actions/${subject}`, { before }) }),
      // The cache does not keep the list: reading it is recorded as an action, so the list changes whenever it is
      // opened.
      keepUnusedDataFor: 0,
    }),
    /** Lets this session use the admin actions for 15 minutes. */
    confirmPassword: build.mutation<unknown, { password: string }>({
      query: (body) => ({ url: '/api/confirm-password', method: 'POST', body }),
    }),
    grantPremium: build.mutation<unknown, { userId: string; days: number; grantId: string }>({
      queryFn: (body, call, _options, send) =>
        asAdmin(call, send, { url: '/api/admin/grants', method: 'POST', body }),
      invalidatesTags: ['Users'],
    }),
    setSuspended: build.mutation<unknown, { userId: string; isSuspended: boolean }>({
      queryFn: ({ userId, isSuspended }, call, _options, send) => {
        const url = `/api/admin/users/${userId}/${isSuspended ? 'suspend' : 'unsuspend'}`
        return asAdmin(call, send, { url, method: 'POST' })
      },
      invalidatesTags: ['Users'],
    }),
    listReports: build.query<Report[], void>({
      queryFn: (_none, call, _options, send) => asAdmin<Report[]>(call, send, { url: '/api/admin/reports' }),
      providesTags: ['Reports'],
    }),
    closeReport: build.mutation<unknown, string>({
      queryFn: (reportId, call, _options, send) =>
        asAdmin(call, send, { url: `/api/admin/reports/${reportId}/close`, method: 'POST' }),
      invalidatesTags: ['Reports'],
    }),
  }),
})

export const {
  useListUsersInfiniteQuery,
  useListActionsInfiniteQuery,
  useConfirmPasswordMutation,
  useGrantPremiumMutation,
  useSetSuspendedMutation,
  useListReportsQuery,
  useCloseReportMutation,
} = adminApi
