import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { AppDispatch, RootState } from '../../api/store.ts'
import type { Page } from '../../page.ts'
import { conversationOpened, unopened } from './conversation-list.ts'
import { changeList, entryOf, listUrl, messagingApi } from './messaging-api.ts'
import { cursorAfter } from './page-cursor.ts'

/** These endpoints are not in the chat's chunk, because only long lists need them. */
const pagesApi = messagingApi.injectEndpoints({
  endpoints: (build) => ({
    getConversation: build.query<Conversation, string>({
      keepUnusedDataFor: 0,
      query: (id) => ({ url: `${listUrl}/${id}` }),
    }),
    // The answer is added to the list, so the cache does not keep it as well.
    getPage: build.query<Conversation[], { before: string } | { search: string }>({
      keepUnusedDataFor: 0,
      query: (page) => ({ url: `${listUrl}?${new URLSearchParams(page)}` }),
    }),
  }),
})

export const { useGetConversationQuery } = pagesApi

/** Adds conversations to the list, unless it already contains them. */
export const addToList =
  (found: readonly Conversation[]) =>
  async (dispatch: AppDispatch, _getState: () => RootState, { session }: Page): Promise<void> => {
    const rows = found.map(unopened)
    const opened = (await session?.text.openList(rows)) ?? rows
    for (const conversation of opened) dispatch(changeList(conversationOpened(conversation)))
  }

const once = { forceRefetch: true, subscribe: false }

/** Loads the page that follows the loaded pages. */
export const loadNextPage =
  () =>
  async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    const before = entryOf(getState())?.next
    if (!before) return
    const { data } = await dispatch(pagesApi.endpoints.getPage.initiate({ before }, once))
    // While this call ran, another call may have added the page, or a fetch of the first page may have dropped the
    // later ones.
    const entry = entryOf(getState())
    if (!data || entry?.next !== before) return
    const next = cursorAfter(data)
    dispatch(messagingApi.util.updateQueryData('listConversations', undefined, () => ({ ...entry, next })))
    await dispatch(addToList(data))
  }

/**
 * Searches the server for conversations by name and code, and adds the found ones to the list. Content is searched on
 * this device only.
 */
export const searchAll =
  (search: string) =>
  async (dispatch: AppDispatch): Promise<void> => {
    const { data } = await dispatch(pagesApi.endpoints.getPage.initiate({ search }, once))
    if (data) await dispatch(addToList(data))
  }
