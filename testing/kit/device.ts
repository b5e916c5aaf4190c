import * as messaging from '@sumlock/contracts/messaging-routes'
import { openConversation } from '@sumlock/sync/conversation-view'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import { createOutbox } from '@sumlock/sync/outbox'
import type { Outbox } from '@sumlock/sync/outbox'
import type { LiveConnection, SyncApi } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import type { Client } from '@sumlock/deployment/api-client'
import type { Person } from './people.ts'
import { connect } from './socket.ts'

/** The state of a person's browser while unlocked: one socket, one outbox, and the conversations on the screen. */
export interface Device {
  readonly live: LiveConnection
  readonly outbox: Outbox
  open(conversationId: string): ConversationView
  close(): void
}

/** The calls of the sync engine, made by a typed client through the gateway. */
export const syncApiOf = (client: Client): SyncApi => ({
  listMessages: (id, query, signal) =>
    client.ok(messaging.listMessages, { params: { id }, query }, { signal }),
  sendMessage: (body, signal) => client.ok(messaging.sendMessage, { body }, { signal }),
  markRead: (id, seq, signal) => client.ok(messaging.markRead, { params: { id }, body: { seq } }, { signal }),
})

/** Opens a device with the same sync engine as the web app. */
export function openDevice(person: Person): Device {
  const api = syncApiOf(person.client)
  const clock = systemClock
  const live = connect(person)
  const outbox = createOutbox({ api, clock })
  const views: ConversationView[] = []
  return {
    live,
    outbox,
    open(conversationId) {
      const view = openConversation({ conversationId, userId: person.user.id, api, live, outbox, clock })
      views.push(view)
      return view
    },
    close() {
      for (const view of views) view.close()
      outbox.close()
      live.close()
    },
  }
}
