import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { api } from '../../api/base-api.ts'
import { conversationOpened } from '../conversations/conversation-list.ts'
import { changeList } from '../conversations/messaging-api.ts'

export interface StateChange {
  id: string
  isMuted?: boolean
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
      onQueryStarted: async (_change, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }))
        if (data) dispatch(changeList(conversationOpened(data)))
      },
    }),
    report: build.mutation<unknown, Report>({
      query: ({ id, ...body }) => ({ url: `/api/conversations/${id}/reports`, method: 'POST', body }),
    }),
    getConversationPreferences: build.query<{ asksFirst: boolean }, void>({
      query: () => ({ url: '/api/conversation-preferences' }),
      providesTags: ['ConversationPreferences'],
    }),
    setConversationPreferences: build.mutation<unknown, { asksFirst: boolean }>({
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
