import type { LiveConnection, SyncApi } from '@sumlock/sync/ports'
import type { SealedText } from './sealed-text.ts'

type Text = Pick<SealedText, 'takeMessages' | 'refreshKeys'>

/** The calls of the sync engine; stored messages are opened before it gets them. */
export const withOpenedPages = (api: SyncApi, text: Text): SyncApi => ({
  ...api,
  async listMessages(conversationId, query, signal) {
    const page = await api.listMessages(conversationId, query, signal)
    await text.takeMessages(conversationId, page)
    return page
  },
  async sendMessage(message, signal) {
    try {
      const stored = await api.sendMessage(message, signal)
      await text.takeMessages(stored.conversationId, [stored])
      return stored
    } catch (error) {
      // The reason is shown from the keys of today.
      if ((error as { code?: unknown }).code === 'keys_changed')
        await text.refreshKeys(message.conversationId).catch(() => undefined)
      throw error
    }
  },
})

/** The live connection; a sealed message is opened before its listeners get it, and later events wait for it. */
export const withOpenedEvents = (live: LiveConnection, text: Text): LiveConnection => ({
  get state() {
    return live.state
  },
  reconnect: live.reconnect,
  close: live.close,
  subscribe(listener) {
    let queue: Promise<void> | undefined
    return live.subscribe({
      ...listener,
      onEvent(event) {
        const opening =
          event.type === 'new_message' ? text.takeMessages(event.data.conversationId, [event.data]) : null
        const isSealed = event.type === 'new_message' && event.data.sealed !== undefined
        // A lock waits for nothing.
        if (event.type === 'locked' || (!queue && !isSealed)) {
          listener.onEvent?.(event)
          return
        }
        const own = Promise.all([queue?.catch(() => undefined), opening]).then(() => {
          if (queue === own) queue = undefined
          listener.onEvent?.(event)
        })
        queue = own
      },
    })
  },
})
