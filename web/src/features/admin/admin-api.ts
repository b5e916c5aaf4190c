import type { ListedUser } from '@sumlock/contracts/admin-routes'
import type { Report } from '@sumlock/contracts/conversation-state-routes'
import { api } from '../../api/base-api.ts'

export interface UserPage {
  users: ListedUser[]
  /** The number of all that are found. */
  total: number
}

const adminApi = api.enhanceEndpoints({ addTagTypes: ['Users', 'Reports'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Pages of users, newest first, that a search finds; an empty one finds all. */
    listUsers: build.infiniteQuery<UserPage, string, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: ({ users }, pages) => {
          const known = pages.reduce((count, page) => count + page.users.length, 0)
          return users.length > 0 && known < (pages.at(-1)?.total ?? 0) ? users.at(-1)?.id : undefined
        },
      },
      query: ({ queryArg, pageParam }) => {
        const query = new URLSearchParams()
        if (queryArg !== '') query.set('q', queryArg)
        if (pageParam !== undefined) query.set('before', pageParam)
        return { url: ['/api/admin/users', String(query)].filter(Boolean).join('?') }
      },
      transformResponse: (users: ListedUser[], meta) => ({ users, total: meta?.total ?? users.length }),
      providesTags: ['Users'],
    }),
    grantPremium: build.mutation<unknown, { userId: string; days: number; grantId: string }>({
      query: (body) => ({ url: '/api/admin/grants', method: 'POST', body }),
      invalidatesTags: ['Users'],
    }),
    setSuspended: build.mutation<unknown, { userId: string; isSuspended: boolean }>({
      query: ({ userId, isSuspended }) => ({
        url: `/api/admin/users/${userId}/${isSuspended ? 'suspend' : 'unsuspend'}`,
        method: 'POST',
      }),
      invalidatesTags: ['Users'],
    }),
    listReports: build.query<Report[], void>({
      query: () => ({ url: '/api/admin/reports' }),
      providesTags: ['Reports'],
    }),
    closeReport: build.mutation<unknown, string>({
      query: (reportId) => ({ url: `/api/admin/reports/${reportId}/close`, method: 'POST' }),
      invalidatesTags: ['Reports'],
    }),
  }),
})

export const {
  useListUsersInfiniteQuery,
  useGrantPremiumMutation,
  useSetSuspendedMutation,
  useListReportsQuery,
  useCloseReportMutation,
} = adminApi
