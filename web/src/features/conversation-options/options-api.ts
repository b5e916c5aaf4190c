import type { ConversationPreferences } from '@sumlock/contracts/conversation-state-routes'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { api } from '../../api/base-api.ts'
import { pageOf } from '../../page.ts'
import { conversationOpened, unopened } from '../conversations/conversation-list.ts'
import { changeList } from '../conversations/messaging-api.ts'

export interface StateChange {
  id: string
  isMuted?: boolean
  nickname?: string | null
  isBlocked?: boolean
  isAccepted?: true
}

interface Report {
  id: string
  messageIds: readonly string[]
  /** The reporter chose to attach the texts of these messages. */
  contents?: readonly { id: string; text: string }[]
  note?: string
}

const optionsApi = api.enhanceEndpoints({ addTagTypes: ['ConversationPreferences'] }).injectEndpoints({
  endpoints: (build) => ({
    changeState: build.mutation<Conversation, StateChange>({
      query: ({ id, ...body }) => ({ url: `/api/conversations/${id}/state`, method: 'PUT', body }),
      onQueryStarted: async (_change, { dispatch, queryFulfilled, extra }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }))
        const { text } = pageOf({ extra }).session ?? {}
        const rows = data && (await text?.openList([unopened(data)]))
        for (const row of rows ?? []) dispatch(changeList(conversationOpened(row)))
      },
    }),
    report: build.mutation<unknown, Report>({
      query: ({ id, ...body }) => ({ url: `/api/conversations/${id}/reports`, method: 'POST', body }),
    }),
    getConversationPreferences: build.query<ConversationPreferences, void>({
      query: () => ({ url: '/api/conversation-preferences' }),
      providesTags: ['ConversationPreferences'],
    }),
    setConversationPreferences: build.mutation<unknown, Partial<ConversationPreferences>>({
      query: (body) => ({ url: '/api/conversation-preferences', method: 'PUT', body }),
      invalidatesTags: ['ConversationPreferences'],
    }),
  }),
})

export const {
  useChangeStateMutation,
  useReportMutation,
  useGetConversationPreferencesQuery,
  useSetConversationPreferencesMutation,
} = optionsApi
