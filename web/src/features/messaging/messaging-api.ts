import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import type { SyncApi } from '@sumlock/sync/ports'
import { api } from '../../api/base-api.ts'
import { request } from '../../api/request.ts'
import type { AppDispatch, RootState } from '../../app/store.ts'

export const conversationsApi = api.enhanceEndpoints({ addTagTypes: ['Conversation'] }).injectEndpoints({
  endpoints: (build) => ({
    listConversations: build.query<Conversation[], void>({
      query: () => ({ url: '/api/conversations' }),
      providesTags: [{ type: 'Conversation', id: 'LIST' }],
    }),
    startConversation: build.mutation<Conversation, string>({
      query: (userCode) => ({ url: '/api/conversations', method: 'POST', body: { userCode } }),
      invalidatesTags: [{ type: 'Conversation', id: 'LIST' }],
    }),
  }),
})

export const { useListConversationsQuery, useStartConversationMutation } = conversationsApi

/** Invalidates the list. */
export const conversationsChanged = () =>
  conversationsApi.util.invalidateTags([{ type: 'Conversation', id: 'LIST' }])

/** Invalidates the list and the user: premium began or ended, or a day has passed. */
export const limitsChanged = () =>
  conversationsApi.util.invalidateTags([{ type: 'Conversation', id: 'LIST' }, 'User'])

const selectList = conversationsApi.endpoints.listConversations.select()

/** Refetches the list after an own message was stored and, where the daily limit applies, also the user. */
export const ownMessageStored =
  ({ conversationId }: Pick<Message, 'conversationId'>) =>
  (dispatch: AppDispatch, getState: () => RootState) => {
    // The type of the store knows only the tags of the entry.
    const { data } = selectList(getState() as Parameters<typeof selectList>[0])
    const isUnlimited = data?.find(({ id }) => id === conversationId)?.unlimited === true
    dispatch(isUnlimited ? conversationsChanged() : limitsChanged())
  }

/** A refused call, in the shape the sync engine expects. */
class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number | undefined
  readonly code: string
  readonly resetsAt: string | undefined

  constructor({
    status,
    code,
    sentence,
    resetsAt,
  }: {
    status: number
    code: string
    sentence: string
    resetsAt?: string
  }) {
    super(sentence)
    this.status = status === 0 ? undefined : status
    this.code = code
    this.resetsAt = resetsAt
  }
}

async function call<T>(signal: AbortSignal, url: string, body?: unknown): Promise<T> {
  const answer = await request({ url, ...(body === undefined ? {} : { method: 'POST', body }) }, signal)
  if ('error' in answer) throw new CallError(answer.error)
  return answer.data as T
}

/** The calls of the sync engine. */
export const syncApi: SyncApi = {
  listMessages: (id, query, signal) => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    return call<Message[]>(signal, `/api/conversations/${id}/messages?${search}`)
  },
  sendMessage: (message, signal) => call<Message>(signal, '/api/messages', message),
  markRead: (id, seq, signal) => call(signal, `/api/conversations/${id}/read`, { seq }),
}
