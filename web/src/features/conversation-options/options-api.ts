import type { ConversationPreferences } from '@sumlock/contracts/conversation-state-routes'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
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

export interface TimerChange {
  id: string
  body: { id: string; vanishMs: VanishMs | null; replaces: string | null }
}

/** Opens what a fetched conversation contains, and puts it into the list. */
async function show(
  conversation: Conversation,
  { dispatch, extra }: { dispatch: (change: ReturnType<typeof changeList>) => unknown; extra: unknown },
): Promise<void> {
  const { text } = pageOf({ extra }).session ?? {}
  const rows = await text?.openList([unopened(conversation)])
  for (const row of rows ?? []) dispatch(changeList(conversationOpened(row)))
}

const optionsApi = api.enhanceEndpoints({ addTagTypes: ['ConversationPreferences'] }).injectEndpoints({
  endpoints: (build) => ({
    changeState: build.mutation<Conversation, StateChange>({
      query: ({ id, ...body }) => ({ url: `/api/conversations/${id}/state`, method: 'PUT', body }),
      onQueryStarted: async (_change, { dispatch, queryFulfilled, extra }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }))
        if (data) await show(data, { dispatch, extra })
      },
    }),
    /** If the timer was changed meanwhile, it stays so, and the present one is fetched. */
    setTimer: build.mutation<'set' | 'replaced', TimerChange>({
      queryFn: async ({ id, body }, { dispatch, extra }, _options, baseQuery) => {
        const url = `/api/conversations/${id}`
        const { data, error } = await baseQuery({ url: `${url}/timer`, method: 'PUT', body })
        const isReplaced = error?.code === 'timer_replaced'
        const present = isReplaced ? await baseQuery({ url }) : { data }
        if (present.data) await show(present.data as Conversation, { dispatch, extra })
        return error && !isReplaced ? { error } : { data: isReplaced ? 'replaced' : 'set' }
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
  useSetTimerMutation,
  useReportMutation,
  useGetConversationPreferencesQuery,
  useSetConversationPreferencesMutation,
} = optionsApi
