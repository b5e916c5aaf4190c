import { rotateUserCode } from '@sumlock/contracts/auth-routes'
import { exportMessages } from '@sumlock/contracts/export-routes'
import { conversationHeader } from '@sumlock/contracts/conversation-header'
import {
  getConversationPreferences,
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import {
  deleteConversation,
  listConversations,
  listMessages,
  markRead,
  sendMessage,
  startConversation,
} from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
let admin: Person
let ann: Person
let ben: Person
let id: string
const opened: LiveConnection[] = []

beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben, admin] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack), adminPerson(stack)])
  await makePremium(admin, ann)
  ;({ id } = await befriend(ann, ben))
})
afterAll(() => {
  for (const live of opened) live.close()
})

/** Sends to one replica, as the web app does; the other one may apply a block up to a second later. */
const say = ({ client }: Person, content: string, conversationId = id) =>
  client.ok(
    sendMessage,
    { body: { conversationId, content } },
    { headers: { [conversationHeader]: conversationId } },
  )
const listOf = ({ client }: Person) => client.ok(listConversations)
const rowOf = async (person: Person, of = id) => (await listOf(person)).find((row) => row.id === of)
const historyOf = ({ client }: Person, of = id) => client.ok(listMessages, { params: { id: of } })
const textsOf = async (person: Person) => (await historyOf(person)).map(({ content }) => content)
const change = ({ client }: Person, body: Record<string, boolean | string | null>, of = id) =>
  client.call(setConversationState, { params: { id: of }, body: body })

/** A socket and the messages that it receives. */
async function listen(person: Person) {
  const live = connect(person)
  opened.push(live)
  const told: string[] = []
  live.subscribe({
    onEvent: (event) => void (event.type === 'new_message' && told.push(event.data.content)),
  })
  await nextState(live, ({ connected }) => connected)
  const hears = (content: string) =>
    nextEvent(live, (event) => event.type === 'new_message' && event.data.content === content)
  return { live, told, hears }
}

describe('a blocked conversation', () => {
  it('gives the blocker deleted messages and no count, preview or event, and the sender what is always given', async () => {
    const [atAnn, atBen] = [await listen(ann), await listen(ben)]
    await say(ben, 'before')
    const blocked = await change(ann, { isBlocked: true })
    expect(blocked).toMatchObject({ status: 200, body: { id, isBlocked: true, unreadCount: 1 } })
    // The replica of the conversation may differ from the one that stored the block.
    await eventually(async () => {
      await say(ben, 'probe')
      expect((await historyOf(ann)).at(-1)).toMatchObject({ content: '', isRead: true, messageType: 'text' })
    })
    const shownTo = async (person: Person) => ({ ...(await rowOf(person)), activeAt: '' })
    const before = await shownTo(ann)
    const heard = atBen.hears('unheard')
    const sent = await say(ben, 'unheard')
    await heard
    expect(sent).toMatchObject({ content: 'unheard', isRead: false })
    expect((await textsOf(ben)).at(-1)).toBe('unheard')
    expect((await textsOf(ann)).at(-1)).toBe('')
    expect((await historyOf(ann)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: sent.seq }, (_, index) => index + 1),
    )
    expect(await rowOf(ben)).toMatchObject({ lastMessage: { content: 'unheard' }, lastSeq: sent.seq })
    expect(await shownTo(ann)).toEqual(before)
    // The result is the same after the message was marked as published.
    await eventually(async () => {
      expect(await rowOf(ben)).toMatchObject({ lastMessage: { content: 'unheard' } })
      expect(await shownTo(ann)).toEqual(before)
    })

    await change(ann, { isBlocked: false })
    expect((await textsOf(ann)).at(-1)).toBe('')
    await eventually(async () => {
      await say(ben, 'after')
      expect((await textsOf(ann)).at(-1)).toBe('after')
    })
    await eventually(() => Promise.resolve(expect(atAnn.told).toContain('after')))
    expect(atAnn.told).not.toContain('unheard')
    expect(await rowOf(ann)).toMatchObject({ lastMessage: { content: 'after' } })
    expect((await rowOf(ann))?.isBlocked).toBeUndefined()
    expect(await textsOf(ben)).toContain('unheard')
  })

  it('does not come back into the blocker’s list by what the other sends', async () => {
    const [cal, dee] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    await makePremium(admin, cal)
    const { id: other } = await befriend(cal, dee)
    await change(cal, { isBlocked: true }, other)
    await cal.client.ok(deleteConversation, { params: { id: other } })
    await eventually(async () => {
      await say(dee, 'hello?', other)
      expect(await listOf(cal)).toEqual([])
    })
    await say(dee, 'hello??', other)
    expect(await listOf(cal)).toEqual([])
    const found = await cal.client.ok(startConversation, { body: { userCode: dee.user.userCode } })
    expect(found).toMatchObject({ id: other, isBlocked: true, lastMessage: null })
  })

  it('shows the blocked member the code that the blocker had on that day, until the end of the block', async () => {
    const [cal, dee] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id: other } = await befriend(cal, dee)
    const codeShown = async () => (await rowOf(dee, other))?.otherUser.userCode
    await change(cal, { isBlocked: true }, other)
    const { userCode } = await cal.client.ok(rotateUserCode)
    expect(userCode).not.toBe(cal.user.userCode)
    await eventually(async () => {
      const people = await withDatabase(stack, 'messaging', (database) =>
        database.collection<{ _id: string }>('people').findOne({ _id: cal.user.id }),
      )
      expect(people).toMatchObject({ userCode })
    })
    // A second block changes nothing.
    await change(cal, { isBlocked: true }, other)
    expect(await codeShown()).toBe(cal.user.userCode)
    await change(cal, { isBlocked: false }, other)
    expect(await codeShown()).toBe(userCode)
  })

  it('is changed by its members only, and tells the other devices of the one who changes it', async () => {
    const eve = await unlockedPerson(stack)
    expect(await change(eve, { isBlocked: true })).toMatchObject({ status: 404 })
    expect(await change(ann, {})).toMatchObject({ status: 400 })
    const [atAnn, atBen] = [await listen(ann), await listen(ben)]
    const toBen: ServerEvent['type'][] = []
    atBen.live.subscribe({ onEvent: ({ type }) => void (type !== 'status' && toBen.push(type)) })
    const told = nextEvent(atAnn.live, ({ type }) => type === 'conversation_changed')
    expect(await change(ann, { isMuted: true })).toMatchObject({ body: { isMuted: true } })
    expect(await told).toEqual({ type: 'conversation_changed', data: { conversationId: id } })
    const heard = atBen.hears('to Ben')
    await say(ann, 'to Ben')
    await heard
    // Events of the time before may come late, and messages twice.
    const others = ['new_message', 'limits_changed', 'conversation_started']
    expect(toBen.filter((type) => !others.includes(type))).toEqual([])
    expect((await rowOf(ben))?.isMuted).toBeUndefined()
    expect((await change(ann, { isMuted: false })).body).not.toHaveProperty('isMuted')
  })
})

describe('a nickname', () => {
  const box = 'nickname'.repeat(26)

  it('D-62: is a value of fixed size that only its owner gets, until it is removed', async () => {
    for (const wrong of [box.slice(1), `${box}x`, '='.repeat(208)])
      expect(await change(ann, { nickname: wrong })).toMatchObject({ status: 400 })
    expect(await change(ann, { nickname: box })).toMatchObject({ status: 200, body: { nickname: box } })
    expect((await rowOf(ann))?.nickname).toBe(box)
    expect(JSON.stringify([await listOf(ben), await historyOf(ben)])).not.toContain(box)
    const pages = await ann.client.ok(exportMessages)
    expect(pages).toContainEqual(expect.objectContaining({ conversationId: id, nickname: box }))
    expect((await change(ann, { isMuted: false })).body).toMatchObject({ nickname: box })
    expect((await change(ann, { nickname: null })).body).not.toHaveProperty('nickname')
    expect(await rowOf(ann)).not.toHaveProperty('nickname')
  })

  it('is among the answers to any search of its owner, because only the client can read it', async () => {
    const found = ({ client }: Person) => client.ok(listConversations, { query: { search: 'no such name' } })
    expect(await found(ann)).toEqual([])
    await change(ann, { nickname: box })
    expect(await found(ann)).toMatchObject([{ id, nickname: box }])
    expect(await found(ben)).toEqual([])
  })

  it('is gone once its owner deletes the conversation', async () => {
    await change(ann, { nickname: box })
    await ann.client.ok(deleteConversation, { params: { id } })
    await say(ben, 'are you there?')
    await eventually(async () => expect(await rowOf(ann)).toMatchObject({ unreadCount: 1 }))
    expect(await rowOf(ann)).not.toHaveProperty('nickname')
  })
})

describe('a person who is asked first', () => {
  it('sees a new conversation as a request from its first message on, without preview, count or read mark', async () => {
    const [fay, gil] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    expect(await fay.client.ok(getConversationPreferences)).toMatchObject({ asksFirst: false })
    await fay.client.ok(setConversationPreferences, { body: { asksFirst: true } })
    expect(await fay.client.ok(getConversationPreferences)).toMatchObject({ asksFirst: true })
    const { id: asked } = await gil.client.ok(startConversation, { body: { userCode: fay.user.userCode } })
    expect(await listOf(fay)).toEqual([])
    await say(gil, 'may I?', asked)
    expect(await listOf(fay)).toMatchObject([
      { id: asked, isRequest: true, lastMessage: null, unreadCount: 0, lastSeq: 1 },
    ])
    await fay.client.ok(markRead, { params: { id: asked }, body: { seq: 1 } })
    expect(await historyOf(gil, asked)).toMatchObject([{ content: 'may I?', isRead: false }])

    expect(await change(fay, { isAccepted: true }, asked)).toMatchObject({
      body: { unreadCount: 0, lastMessage: { content: 'may I?' } },
    })
    expect((await rowOf(fay, asked))?.isRequest).toBeUndefined()
    expect(await historyOf(gil, asked)).toMatchObject([{ isRead: true }])
  })
})
