import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { ConversationState } from '@sumlock/sync/conversation-view'
import type { Draft } from '@sumlock/sync/ports'
import { api } from '../../api/base-api.ts'
import type { ApiError } from '../../api/request.ts'
import type { AppDispatch, RootState } from '../../api/store.ts'
import { conversationOpened, messagesRead, toListed } from './conversation-list.ts'
import type { ConversationList, ListChange } from './conversation-list.ts'
import { emptyConversation, openView } from './conversation-views.ts'
import { applyChange, recordChanges } from './list-changes.ts'
import { listUrl, takeListAhead } from './list-ahead.ts'
import { withLaterPages } from './page-cursor.ts'
import { presentMessaging, takeList } from './present-messaging.ts'

/** Something in between has answered, such as the sign-in page of a network. */
const notAList: ApiError = {
  status: 0,
  code: 'no_connection',
  sentence: 'No connection. Please try again.',
  message: '0: not a list',
}

interface SendMessageArgs {
  conversationId: string
  clientMessageId: string
  draft: Draft
  /** The message was written in the composer. */
  endsDraft: boolean
}

export const messagingApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The list is fetched rarely and changed by events in between (`changeList`). */
    listConversations: build.query<ConversationList, void>({
      queryFn: async (_argument, { getState }, _options, baseQuery) => {
        const endRecording = recordChanges()
        const ahead = takeListAhead()
        const early = ahead && (await ahead)
        const isEarly = early !== undefined && 'data' in early
        const { data, error } = isEarly ? { ...early, error: undefined } : await baseQuery({ url: listUrl })
        const fetched = Array.isArray(data) ? (data as Conversation[]).map(toListed) : undefined
        await takeList(fetched ?? [])
        const list = endRecording(fetched)
        // The type of the store knows only the endpoints of the entry.
        const known = listOf(getState() as RootState)
        return fetched ? { data: withLaterPages(list, fetched, known) } : { error: error ?? notAList }
      },
    }),
    startConversation: build.mutation<Conversation, string>({
      query: (userCode) => ({ url: listUrl, method: 'POST', body: { userCode } }),
      onQueryStarted: async (_userCode, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }))
        if (!data) return
        // The screen of the conversation opens at once, and finds it in the list.
        void takeList([data])
        dispatch(changeList(conversationOpened(data)))
      },
    }),
    deleteConversation: build.mutation<unknown, string>({
      query: (id) => ({ url: `${listUrl}/${id}`, method: 'DELETE' }),
    }),
    /**
     * One conversation, held by the sync engine from the first screen that shows it until the entry leaves the cache.
     * The engine's states are immutable and share what did not change, so they replace the cached one as they are. Only
     * a frozen one saves immer from visiting every message after each change.
     */
    getMessages: build.query<ConversationState, string>({
      queryFn: () => ({ data: emptyConversation }),
      structuralSharing: false,
      onCacheEntryAdded: async (conversationId, { dispatch, updateCachedData, ...entry }) => {
        const { userId } = presentMessaging()
        const view = openView(conversationId, (seq) => {
          dispatch(changeList(messagesRead({ conversationId, readerId: userId, seq }, userId)))
        })
        const update = () => void updateCachedData(() => Object.freeze(view.getState()))
        const stop = await entry.cacheDataLoaded.then(
          () => {
            update()
            return view.subscribe(update)
          },
          () => undefined,
        )
        await entry.cacheEntryRemoved
        stop?.()
        view.close()
      },
    }),
    /**
     * Ends when the message is in the outbox, which sends it until the server has stored or refused it. Until then it
     * is among the pending messages of `getMessages`.
     */
    sendMessage: build.mutation<null, SendMessageArgs>({
      queryFn: async ({ conversationId, clientMessageId, draft, endsDraft }) => {
        const { outbox, drafts } = presentMessaging()
        // Without a pause between the two, they are stored together: a reload finds the text in one of them.
        outbox.add(conversationId, draft, clientMessageId)
        if (endsDraft) drafts.set(conversationId, '')
        await outbox.whenAdded(clientMessageId)
        return { data: null }
      },
    }),
  }),
})

export const {
  useListConversationsQuery,
  useStartConversationMutation,
  useDeleteConversationMutation,
  useGetMessagesQuery,
} = messagingApi

const selectList = messagingApi.endpoints.listConversations.select()

/** The cached list; undefined before its first answer. */
export const listOf = (state: RootState): ConversationList | undefined =>
  // The type of the store knows only the endpoints of the entry.
  selectList(state).data

/** Changes the cached list without a fetch. */
export const changeList =
  (change: ListChange) =>
  (dispatch: AppDispatch, getState: () => RootState): void => {
    const before = listOf(getState())
    const list = applyChange(change, before)
    if (list !== undefined && list !== before)
      dispatch(messagingApi.util.updateQueryData('listConversations', undefined, () => list))
  }
