import { conversationHeader } from '@sumlock/contracts/conversation-header'
import { listChanges } from '@sumlock/contracts/changes-routes'
import type { Changes } from '@sumlock/contracts/changes-routes'
import * as messaging from '@sumlock/contracts/messaging-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import type { Client } from '@sumlock/deployment/api-client'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { createChangesReader } from '@sumlock/sync/changes-reader'
import { openConversation } from '@sumlock/sync/conversation-view'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import { emptyConversation } from '@sumlock/sync/known-messages'
import { createOutbox } from '@sumlock/sync/outbox'
import type { Outbox } from '@sumlock/sync/outbox'
import type { LiveConnection, SyncApi } from '@sumlock/sync/ports'
import { createScheduler } from '@sumlock/sync/scheduler'
import type { Scheduler } from '@sumlock/sync/scheduler'
import { systemClock } from '@sumlock/sync/system-clock'
import { variable } from '@sumlock/sync/test-support/variable'
import { befriend, makePremium, unlockedPerson } from './people.ts'
import type { Person } from './people.ts'
import type { RunningStack } from './shared-stack.ts'
import { connect } from './socket.ts'
import { nextState } from './socket.ts'

/** A device has the state of an unlocked browser: one socket, one outbox, and the conversations on the screen. */
export interface Device {
  readonly live: LiveConnection
  readonly outbox: Outbox
  open(conversationId: string): ConversationView
  close(): void
}

/** Makes the calls of the sync engine by a typed client through the gateway. */
const syncApiOf = (client: Client): SyncApi => ({
  listMessages: (id, query, signal) =>
    client.ok(messaging.listMessages, { params: { id }, query }, { signal }),
  sendMessage: (body, signal) =>
    client.ok(
      messaging.sendMessage,
      { body },
      { signal, headers: { [conversationHeader]: body.conversationId } },
    ),
  markRead: (id, seq, signal) => client.ok(messaging.markRead, { params: { id }, body: { seq } }, { signal }),
})

/** Opens a device that uses the same sync engine as the web app. */
export function openDevice(person: Person): Device {
  const api = syncApiOf(person.client)
  const clock = systemClock
  const live = connect(person)
  const outbox = createOutbox({ api, clock })
  const views: { conversationId: string; view: ConversationView }[] = []
  const poller = pollChanges(person.client, live, ({ isWhole, conversations }) => {
    for (const { conversationId, view } of views)
      if (isWhole || conversations.some(({ id }) => id === conversationId)) view.refresh()
  })
  return {
    live,
    outbox,
    open(conversationId) {
      const view = openConversation({
        conversationId,
        userId: person.user.id,
        cell: variable(emptyConversation),
        api,
        live,
        outbox,
        clock,
        visible: true,
      })
      view.show(Number.MAX_SAFE_INTEGER)
      views.push({ conversationId, view })
      return view
    },
    close() {
      poller.close()
      for (const { view } of views) view.close()
      outbox.close()
      live.close()
    },
  }
}

/** Polls for changes as the web app does, while the connection is missing or degraded. */
function pollChanges(client: Client, live: LiveConnection, onChanges: (changes: Changes) => void): Scheduler {
  const reader = createChangesReader((since) => client.ok(listChanges, { query: { since } }))
  const work = () =>
    reader
      .read((changes) => {
        onChanges(changes)
        return Promise.resolve()
      })
      .catch(() => undefined)
  const isGood = () => live.state.connected && !live.state.degraded
  const nextDelayMs = () => (isGood() ? null : reader.pollAfterMs)
  const scheduler = createScheduler({ clock: systemClock, work, nextDelayMs })
  const stop = live.subscribe({ onState: scheduler.replan })
  scheduler.replan()
  return {
    ...scheduler,
    close() {
      stop()
      scheduler.close()
    },
  }
}

/** A seat is a person with an open conversation on a device. */
export interface Seat {
  person: Person
  conversationId: string
  device: Device
  view: ConversationView
}

/** Makes two people, one of them with premium, each with a connected device and their conversation on the screen. */
export async function seatPair(stack: RunningStack, admin: Person): Promise<[Seat, Seat]> {
  const first = await unlockedPerson(stack)
  const second = await unlockedPerson(stack)
  await makePremium(admin, first)
  const { id: conversationId } = await befriend(first, second)
  // Until messaging has received the event, it asks billing, which a test may kill.
  await waitUntil('messaging to know who is premium', async () => {
    const [conversation] = await first.client.ok(listConversations)
    return conversation?.unlimited === true
  })
  const openSeat = async (person: Person): Promise<Seat> => {
    const device = openDevice(person)
    const view = device.open(conversationId)
    await nextState(device.live, ({ connected }) => connected)
    return { person, conversationId, device, view }
  }
  return [await openSeat(first), await openSeat(second)]
}

/** Makes the pairs one after the other, because a small machine would be too slow for all at once. */
export async function seatPairs(stack: RunningStack, admin: Person, count: number): Promise<Seat[]> {
  const seats: Seat[] = []
  for (let pair = 0; pair < count; pair += 1) seats.push(...(await seatPair(stack, admin)))
  return seats
}
