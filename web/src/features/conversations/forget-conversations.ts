import { emptyConversation } from '@sumlock/sync/known-messages'
import type { AppDispatch, RootState } from '../../api/store.ts'
import { entryOf, messagingApi } from './messaging-api.ts'

/** Empties the list and all chats in the cache. A screen that still shows them under the cover fetches nothing. */
export const forgetConversations =
  () =>
  (dispatch: AppDispatch, getState: () => RootState): void => {
    const { selectCachedArgsForQuery, updateQueryData } = messagingApi.util
    for (const id of selectCachedArgsForQuery(getState(), 'getMessages'))
      dispatch(updateQueryData('getMessages', id, () => emptyConversation))
    if (entryOf(getState()))
      dispatch(updateQueryData('listConversations', undefined, () => ({ rows: [], next: null })))
  }
