import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { Page } from '../../page.ts'
import { isUnsettled, isWaiting, nameOf, showsSame } from '../sealed/look.ts'
import type { Sealable } from '../sealed/look.ts'
import type { StoredRows } from '../sealed/known-conversations.ts'
import { previewOpened, rowLearned } from './conversation-list.ts'
import { changeList, listOf, messagesOf, messagingApi } from './messaging-api.ts'

/** Gives the sealing code access to the rows of list and chats, which only the store holds. */
export function storedRows(page: Page): StoredRows {
  const row = (id: string) => listOf(page.store.getState())?.find((one) => one.id === id)
  const messages = (id: string) => messagesOf(page.store.getState(), id)?.messages ?? []
  let isClosed = false
  return {
    get: row,
    add: (id, news) => {
      if (!isClosed) page.store.dispatch(changeList(rowLearned(id, news)))
    },
    isWaiting: (id) => [row(id)?.lastMessage, ...messages(id)].some((one) => one && isWaiting(one)),
    async reopen(id, open) {
      const { lastMessage } = row(id) ?? {}
      const [[preview], opened] = await Promise.all([
        open(lastMessage && isUnsettled(lastMessage) ? [lastMessage] : []),
        open(messages(id).filter(isUnsettled)),
      ])
      if (isClosed) return
      const { dispatch, getState } = page.store
      if (preview) dispatch(changeList(previewOpened(id, preview)))
      const state = messagesOf(getState(), id)
      const next = state && withLooks(state, opened)
      if (next === state) return
      dispatch(messagingApi.util.updateQueryData('getMessages', id, () => Object.freeze(next)))
    },
    close: () => void (isClosed = true),
  }
}

/** Returns the same state if no look has changed, so that nothing renders again. */
function withLooks(state: ConversationState, opened: readonly (Message & Sealable)[]): ConversationState {
  const byName = new Map(opened.map((message) => [nameOf(message), message]))
  let isChanged = false
  const messages = state.messages.map((message: Message & Sealable) => {
    const next = isUnsettled(message) && byName.get(nameOf(message))
    if (!next || showsSame(next, message)) return message
    isChanged = true
    const { look, reactions } = next
    return { ...message, ...(look && { look }), ...(reactions && { reactions }) }
  })
  return isChanged ? { ...state, messages } : state
}
