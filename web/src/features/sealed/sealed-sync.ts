import type { Message } from '@sumlock/contracts/messaging-routes'
import { createListeners } from '@sumlock/sync/listeners'
import type { LiveConnection, LiveListener, SendAct, SyncApi } from '@sumlock/sync/ports'
import type { SealedText } from './sealed-text.ts'

type Text = Pick<SealedText, 'open' | 'openPage' | 'refreshKeys'>

const openOne = async (text: Pick<Text, 'open'>, message: Message): Promise<Message> =>
  (await text.open(message.conversationId, [message]))[0] ?? message

/** Wraps the calls of the sync engine, so that it receives stored messages already opened. */
export const withOpenedPages = <Api extends SyncApi & { sendAct?: SendAct }>(api: Api, text: Text): Api => {
  const opened =
    <T extends { conversationId: string }>(send: (outgoing: T, signal: AbortSignal) => Promise<Message>) =>
    async (outgoing: T, signal: AbortSignal) => {
      try {
        return await openOne(text, await send(outgoing, signal))
      } catch (error) {
        // The chat explains the refusal by means of the partner's present keys, so they are fetched.
        if ((error as { code?: unknown }).code === 'keys_changed')
          await text.refreshKeys(outgoing.conversationId).catch(() => undefined)
        throw error
      }
    }
  return {
    ...api,
    async listMessages(conversationId, query, signal) {
      return text.openPage(conversationId, await api.listMessages(conversationId, query, signal))
    },
    sendMessage: opened(api.sendMessage),
    ...(api.sendAct && { sendAct: opened(api.sendAct) }),
  }
}

/**
 * Wraps the live connection, so that its listeners receive sealed messages already opened. While a message is being
 * opened, later events wait.
 */
export function withOpenedEvents(live: LiveConnection, text: Pick<Text, 'open'>): LiveConnection {
  const listeners = createListeners<[(listener: LiveListener) => void]>()
  let queue: Promise<void> | undefined
  live.subscribe({
    onState: (state) => listeners.emit((listener) => listener.onState?.(state)),
    onFailedAttempt: () => listeners.emit((listener) => listener.onFailedAttempt?.()),
    onError: (reason) => listeners.emit((listener) => listener.onError?.(reason)),
    onEvent(event) {
      const message = event.type === 'new_message' && event.data.sealed ? event.data : null
      // A lock does not wait for earlier events.
      if (event.type === 'locked' || (!queue && !message)) {
        listeners.emit((listener) => listener.onEvent?.(event))
        return
      }
      const opening = message && openOne(text, message)
      const own = Promise.all([opening, queue]).then(([data]) => {
        if (queue === own) queue = undefined
        listeners.emit((listener) => listener.onEvent?.(data ? { type: 'new_message', data } : event))
      })
      queue = own
    },
  })
  return {
    get state() {
      return live.state
    },
    reconnect: live.reconnect,
    close: live.close,
    subscribe: (listener) => listeners.add((call) => call(listener)),
  }
}
