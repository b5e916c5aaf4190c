import { listChanges } from '@sumlock/contracts/changes-routes'
import {
  getConversationPreferences,
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import {
  deleteConversation,
  listConversations,
  listMessages,
  markRead as markReadRoute,
  sendMessage,
} from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { markRead } from '../src/use-cases/mark-read.ts'

let stack: RunningStack
/** Two more replicas, so that a test can choose the one that reads. */
let replicas: Context[]
let admin: Person
let ann: Person
let ben: Person
let id: string
const opened: LiveConnection[] = []

beforeAll(async () => {
  stack = await sharedStack()
  const config = readConfig(stack.service('messaging').environment)
  replicas = await Promise.all([createContext(config), createContext(config)])
  admin = await adminPerson(stack)
})
afterAll(async () => {
  for (const live of opened) live.close()
  await Promise.all((replicas ?? []).map((replica) => replica.close()))
})
beforeEach(async () => {
  ;[ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, ann)
  ;({ id } = await befriend(ann, ben))
})

const say = ({ client }: Person) => client.ok(sendMessage, { body: { conversationId: id, content: 'x' } })
const read = ({ user }: Person, seq: number, [replica] = replicas) =>
  markRead(replica as Context, { userId: user.id, conversationId: id, seq })
const rowOf = async ({ client }: Person) => (await client.ok(listConversations)).find((row) => row.id === id)
const shown = async ({ client, user }: Person) => {
  const own = (await client.ok(listMessages, { params: { id } })).filter(
    ({ senderId }) => senderId === user.id,
  )
  return own.map(({ isRead }) => isRead)
}
const prefer = ({ client }: Person, body: object) => client.call(setConversationPreferences, { body })

const showRead = async (person: Person, showsRead: boolean) =>
  expect(await prefer(person, { showsRead })).toMatchObject({ status: 200, body: { showsRead } })

/** A socket and the events that tell how far somebody has read. */
async function listen(person: Person) {
  const live = connect(person)
  opened.push(live)
  const told: ServerEvent[] = []
  live.subscribe({ onEvent: (event) => void (event.type === 'message_read' && told.push(event)) })
  await nextState(live, ({ connected }) => connected)
  const hears = (type: ServerEvent['type']) => nextEvent(live, (event) => event.type === type)
  return { told, hears }
}

const eventOf = ({ user }: Person, seq: number) => ({
  type: 'message_read',
  data: { conversationId: id, readerId: user.id, seq },
})

it('read receipts are on until they are turned off, and each preference changes alone', async () => {
  const get = () => ben.client.ok(getConversationPreferences)
  expect(await get()).toEqual({ asksFirst: false, showsRead: true })
  expect(await prefer(ben, { showsRead: false })).toMatchObject({
    body: { asksFirst: false, showsRead: false },
  })
  expect(await prefer(ben, { asksFirst: true })).toMatchObject({
    body: { asksFirst: true, showsRead: false },
  })
  expect(await get()).toEqual({ asksFirst: true, showsRead: false })
  for (const wrong of [{}, { showsRead: null }, { showsRead: 'no' }, { showsRead: true, other: true }])
    expect(await prefer(ben, wrong)).toMatchObject({ status: 400 })
  expect(await get()).toEqual({ asksFirst: true, showsRead: false })
})

describe.each([
  ['the reader', () => ben],
  ['the other one', () => ann],
])('while read receipts of %s are off', (_who, who) => {
  it('D-66: what is read counts for the reader, and is shown to neither in answers or events', async () => {
    await say(ann)
    await read(ben, 1)
    await showRead(who(), false)
    await say(ann)
    const last = await say(ben)
    const [atAnn, atBen] = [await listen(ann), await listen(ben)]
    const rowBefore = await rowOf(ann)

    const heard = atBen.hears('message_read')
    expect(await read(ben, last.seq)).toEqual({ lastReadSeq: last.seq })
    expect(await heard).toEqual(eventOf(ben, last.seq))
    expect(await rowOf(ben)).toMatchObject({ unreadCount: 0, readSeq: last.seq })
    expect(await ben.client.ok(listMessages, { params: { id } })).toMatchObject([
      ...[{ isRead: true }, { isRead: true }, { isRead: false }],
    ])
    expect(await shown(ann)).toEqual([true, false])
    expect(await rowOf(ann)).toEqual(rowBefore)
    const changes = await ann.client.ok(listChanges)
    expect(changes.conversations).toEqual([rowBefore])

    await read(ann, last.seq)
    expect(await shown(ben)).toEqual([false])
    expect(await rowOf(ann)).toMatchObject({ unreadCount: 0 })
    // An earlier event would have arrived before this message.
    const sent = Promise.all([atAnn.hears('new_message'), atBen.hears('new_message')])
    await say(ann)
    await sent
    expect(atAnn.told).toEqual([eventOf(ann, last.seq)])
    expect(atBen.told).toEqual([eventOf(ben, last.seq)])
  })

  it('what was read is shown once something newer is read while they are on', async () => {
    await showRead(who(), false)
    const first = await say(ann)
    await read(ben, first.seq)
    await showRead(who(), true)
    await read(ben, first.seq)
    expect(await shown(ann)).toEqual([false])
    const second = await say(ann)
    const told = (await listen(ann)).hears('message_read')
    await read(ben, second.seq)
    expect(await shown(ann)).toEqual([true, true])
    expect(await told).toEqual(eventOf(ben, second.seq))
  })
})

it('each replica applies a changed preference to the next reading', async () => {
  let marked = 0
  for (const showsRead of [false, true, false]) {
    const before = await shown(ann)
    await showRead(ben, showsRead)
    for (const replica of replicas) {
      marked = (await say(ann)).seq
      expect(await read(ben, marked, [replica])).toEqual({ lastReadSeq: marked })
    }
    const now = await shown(ann)
    expect(now).toEqual(showsRead ? now.map(() => true) : [...before, false, false])
  }
  expect(await rowOf(ben)).toMatchObject({ unreadCount: 0, readSeq: marked })
})

it('who accepts a request or deletes a conversation with read receipts off shows no message as read', async () => {
  const { client } = ben
  await client.ok(setConversationPreferences, { body: { asksFirst: true, showsRead: false } })
  const eve = await unlockedPerson(stack)
  ;({ id } = await befriend(eve, ben))
  await say(eve)
  await client.ok(setConversationState, { params: { id }, body: { isAccepted: true } })
  expect(await rowOf(ben)).toMatchObject({ unreadCount: 0, readSeq: 1 })
  expect(await shown(eve)).toEqual([false])
  await client.ok(deleteConversation, { params: { id } })
  await client.ok(markReadRoute, { params: { id }, body: { seq: 1 } })
  expect(await shown(eve)).toEqual([false])
})
