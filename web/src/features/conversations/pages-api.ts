import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { AppDispatch, RootState } from '../../api/store.ts'
import type { Page } from '../../page.ts'
import { conversationOpened } from './conversation-list.ts'
import { changeList, listUrl, messagingApi } from './messaging-api.ts'

/** What only long lists need, apart from the chat. */
const pagesApi = messagingApi.injectEndpoints({
  endpoints: (build) => ({
    getConversation: build.query<Conversation, string>({
      query: (id) => ({ url: `${listUrl}/${id}` }),
    }),
    getPage: build.query<Conversation[], { before: string } | { search: string }>({
      query: (page) => ({ url: `${listUrl}?${new URLSearchParams(page)}` }),
    }),
  }),
})

export const { useGetConversationQuery } = pagesApi

/** Adds conversations to the list; those that it contains stay as new as they are. */
export const addToList =
  (found: readonly Conversation[]) =>
  async (dispatch: AppDispatch, _getState: () => RootState, { session }: Page): Promise<void> => {
    await session?.text.takeList(found)
    for (const conversation of found) dispatch(changeList(conversationOpened(conversation)))
  }

const once = { forceRefetch: true, subscribe: false }

/** Loads the page after the loaded ones. */
export const loadNextPage =
  () =>
  async (dispatch: AppDispatch, _getState: () => RootState, { opening }: Page): Promise<void> => {
    const cursor = opening?.list.cursor
    const before = cursor?.next()
    if (!cursor || before === undefined || cursor.isLoading) return
    cursor.isLoading = true
    const { data } = await dispatch(pagesApi.endpoints.getPage.initiate({ before }, once))
    cursor.isLoading = false
    // The first page may have been fetched again meanwhile, and the later pages dropped.
    if (!data || cursor.next() !== before) return
    cursor.endWith(data)
    await dispatch(addToList(data))
  }

/** Asks the server for conversations by name and code, and adds them to the list. Content is searched on this device only. */
export const searchAll =
  (search: string) =>
  async (dispatch: AppDispatch): Promise<void> => {
    const { data } = await dispatch(pagesApi.endpoints.getPage.initiate({ search }, once))
    if (data) await dispatch(addToList(data))
  }
