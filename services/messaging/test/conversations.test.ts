import { randomUUID } from 'node:crypto'
import { changeMessage } from '@sumlock/contracts/act-routes'
import { setTimer } from '@sumlock/contracts/conversation-state-routes'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { getUser } from '@sumlock/contracts/auth-routes'
import {
  listConversations,
  listMessages,
  markRead,
  sendMessage,
  startConversation,
} from '@sumlock/contracts/messaging-routes'
import type { Conversation } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { adminPerson, befriend, makePremium, readUser, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { memberKey } from '../src/domain/member.ts'

let stack: RunningStack
let ann: Person
let ben: Person
let eve: Person
/** The conversation of Ann and Ben; Ann has premium. */
let shared: Conversation

beforeAll(async () => {
  stack = await sharedStack()
  ;[ann, ben, eve] = await Promise.all([person(), person(), person()])
  await makePremium(await adminPerson(stack), ann)
  shared = await befriend(ann, ben)
})

async function person(): Promise<Person> {
  const someone = await unlockedPerson(stack)
  someone.client.keptToken = await someone.client.csrfToken()
  return someone
}

const say = (sender: Person, conversationId: string, content: string) =>
  sender.client.ok(sendMessage, { body: { conversationId, content } })
const history = ({ client }: Person, id: string, query = {}) =>
  client.ok(listMessages, { params: { id }, query })
const inListOf = async ({ client }: Person, id: string) =>
  (await client.ok(listConversations)).find((conversation) => conversation.id === id)
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code
const count = (length: number) => Array.from({ length }, (_, index) => index + 1)

describe('starting a conversation', () => {
  it('CALL-23 VAL-25: opens a conversation by the other person’s code, in any case and with any dashes, and finds it again', async () => {
    const [left, right] = await Promise.all([person(), person()])
    const code = right.user.userCode
    const first = await left.client.call(startConversation, { body: { userCode: code } })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({
      otherUser: { username: right.username, userCode: code },
      lastMessage: null,
      lastMessageAt: null,
      lastSeq: 0,
      unreadCount: 0,
      canSend: true,
      unlimited: false,
      messagesRemaining: 1,
    })
    const typed = `  ${code.replaceAll('-', '').toLowerCase()} `
    const again = await left.client.call(startConversation, { body: { userCode: typed } })
    expect(again.status).toBe(200)
    expect(again.body.id).toEqual(first.body.id)
    const back = await right.client.call(startConversation, { body: { userCode: left.user.userCode } })
    expect(back.status).toBe(200)
    expect(back.body.id).toEqual(first.body.id)
  })

  it('refuses an unknown code and the own code', async () => {
    const unknown = await eve.client.call(startConversation, { body: { userCode: '0000-0000-1' } })
    expect(unknown.status).toBe(404)
    expect(codeOf(unknown)).toBe('unknown_user_code')
    const own = await eve.client.call(startConversation, { body: { userCode: eve.user.userCode } })
    expect(own.status).toBe(400)
    expect(codeOf(own)).toBe('own_user_code')
  })

  it('creates one conversation when both sides open it many times at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [left, right] = await Promise.all([person(), person()])
      const answers = await Promise.all(
        count(10).flatMap(() => [
          left.client.call(startConversation, { body: { userCode: right.user.userCode } }),
          right.client.call(startConversation, { body: { userCode: left.user.userCode } }),
        ]),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    }
  })
})

describe('a stranger', () => {
  it('gets the same answer for an existing conversation as for an unknown one, on every route', async () => {
    await say(ann, shared.id, 'for Ben only')
    const bodies = {
      sendMessage: (conversationId: string) => ({ conversationId, content: 'hello' }),
      markRead: () => ({ seq: 1 }),
      setConversationState: () => ({ isBlocked: true }),
      setTimer: () => setTimer.example.body,
      reportConversation: () => ({}),
      changeMessage: () => changeMessage.example.body,
    }
    const routes = Object.entries<RouteContract>(allRoutes).filter(
      ([name, route]) => route.path.startsWith('/api/conversations/:id') || name in bodies,
    )
    expect(routes.map(([name]) => name).sort()).toEqual([
      'changeMessage',
      'deleteConversation',
      'getConversation',
      'listKeys',
      'listMessages',
      'markRead',
      'reportConversation',
      'sendMessage',
      'setConversationState',
      'setTimer',
    ])
    for (const [name, route] of routes) {
      const ask = async (id: string) => {
        const body = bodies[name as keyof typeof bodies]?.(id)
        const { status, body: answer } = await eve.client.call(route, { params: { id }, body } as object)
        return { status, ...(answer as object), requestId: '' }
      }
      const refused = await ask(shared.id)
      expect(refused).toMatchObject({ status: 404, code: 'conversation_not_found' })
      expect(refused).toEqual(await ask(randomUUID()))
    }
    expect(await inListOf(eve, shared.id)).toBeUndefined()
  })
})

describe('the list of conversations', () => {
  it('CALL-22: shows a message to both sides as soon as its send is acknowledged', async () => {
    const partner = await person()
    const { id } = await befriend(ann, partner)
    await say(partner, (await befriend(partner, ben)).id, 'in another one, earlier')
    const exactFor = async (reader: Person, content: string, seq: number) => {
      const [first] = await reader.client.ok(listConversations)
      const unreadCount = reader === partner ? seq : 0
      expect(first).toMatchObject({ id, lastSeq: seq, lastMessage: { content, seq }, unreadCount })
    }
    // Messages are marked every second, so this is long enough for several rounds.
    const until = performance.now() + 2500
    for (let seq = 1; seq <= 10 || performance.now() < until; seq += 1) {
      const content = `no. ${seq}`
      await say(ann, id, content)
      await Promise.all(count(16).map((n) => exactFor(n % 2 === 0 ? ann : partner, content, seq)))
    }
  })

  it('ENT-14: counts unread messages, and shows the free message without revealing who pays', async () => {
    const other = await person()
    const { id } = await befriend(other, ben)
    await say(other, id, 'my free message')
    expect(await inListOf(ben, id)).toMatchObject({ unreadCount: 1, canSend: true, messagesRemaining: 1 })
    expect(await inListOf(other, id)).toMatchObject({
      unreadCount: 0,
      canSend: false,
      unlimited: false,
      messagesRemaining: 0,
    })
    expect(await ben.client.ok(getUser)).toMatchObject({ dailyMessageCount: 0, lastMessageDate: null })
    const { dailyMessageCount, lastMessageDate } = await readUser(other.client)
    const [message] = await history(other, id)
    expect(dailyMessageCount).toBe(1)
    expect(lastMessageDate).toEqual(message?.createdAt)
    for (const member of [ann, ben])
      expect(await inListOf(member, shared.id)).toMatchObject({ canSend: true, unlimited: true })
    expect(Object.keys((await inListOf(ben, shared.id)) ?? {}).sort()).toEqual([
      'activeAt',
      'canSend',
      'createdAt',
      'id',
      'lastMessage',
      'lastMessageAt',
      'lastSeq',
      'messagesRemaining',
      'otherUser',
      'readSeq',
      'unlimited',
      'unreadCount',
    ])
  })
})

describe('the history of a conversation', () => {
  let id: string
  beforeAll(async () => {
    id = (await befriend(ann, await person())).id
    for (const n of count(60)) await say(ann, id, `no. ${n}`)
  })
  const seqs = async (query: object) => (await history(ann, id, query)).map(({ seq }) => seq)
  const from = (first: number, last: number) => count(last).slice(first - 1)

  it('D-15: comes in ascending pages, by default the newest 50 messages', async () => {
    expect(await seqs({})).toEqual(from(11, 60))
    expect(await seqs({ limit: 3 })).toEqual([58, 59, 60])
    expect(await seqs({ before: 11 })).toEqual(from(1, 10))
    expect(await seqs({ before: 30, limit: 5 })).toEqual(from(25, 29))
    expect(await seqs({ after: 58 })).toEqual([59, 60])
    expect(await seqs({ after: 10, limit: 5 })).toEqual(from(11, 15))
    expect(await seqs({ after: 10, before: 13 })).toEqual([11, 12])
    expect(await seqs({ after: 60 })).toEqual([])
    expect(await seqs({ before: 1 })).toEqual([])
  })

  it('omits the messages that the reader cleared, for this reader only', async () => {
    const other = await person()
    const { id: cleared } = await befriend(ann, other)
    for (const n of count(5)) await say(ann, cleared, `no. ${n}`)
    await withDatabase(stack, 'messaging', (database) =>
      database
        .collection<{ _id: string }>('members')
        .updateOne({ _id: memberKey(other.user.id, cleared) }, { $set: { clearedSeq: 5 } }),
    )
    expect(await history(other, cleared)).toEqual([])
    expect(await history(other, cleared, { after: 0 })).toEqual([])
    expect(await history(other, cleared, { before: 4 })).toEqual([])
    expect(await inListOf(other, cleared)).toMatchObject({ lastMessage: null, unreadCount: 0 })
    expect(await history(ann, cleared)).toHaveLength(5)

    await say(ann, cleared, 'a new beginning')
    expect((await history(other, cleared, { after: 0 })).map(({ seq }) => seq)).toEqual([6])
    expect(await inListOf(other, cleared)).toMatchObject({ lastMessage: { seq: 6 }, unreadCount: 1 })
  })
})

describe('the read mark', () => {
  it('ENT-23 D-25: shows the sender which messages were read, and nothing else', async () => {
    const other = await person()
    const { id } = await befriend(ann, other)
    for (const n of count(3)) await say(ann, id, `no. ${n}`)
    await say(other, id, 'answer')
    const read = async (reader: Person) => (await history(reader, id)).map(({ isRead }) => isRead)
    expect(await read(ann)).toEqual([false, false, false, false])

    await other.client.ok(markRead, { params: { id }, body: { seq: 2 } })
    expect(await read(ann)).toEqual([true, true, false, false])
    expect(await read(other)).toEqual([true, true, false, false])
    expect(await inListOf(other, id)).toMatchObject({ unreadCount: 1 })
    expect(await inListOf(ann, id)).toMatchObject({ unreadCount: 1 })
  })

  it('shows in the list whether the recipient has read the last message, to both members', async () => {
    const other = await person()
    const { id } = await befriend(ann, other)
    for (const n of count(2)) await say(ann, id, `no. ${n}`)
    const lastIsRead = async (member: Person) => (await inListOf(member, id))?.lastMessage?.isRead
    const mark = (reader: Person, seq: number) =>
      reader.client.ok(markRead, { params: { id }, body: { seq } })
    await mark(other, 1)
    expect(await lastIsRead(ann)).toBe(false)
    expect(await lastIsRead(other)).toBe(false)
    await mark(other, 2)
    expect(await lastIsRead(ann)).toBe(true)
    expect(await lastIsRead(other)).toBe(true)

    await say(other, id, 'answer')
    await mark(other, 3)
    expect(await lastIsRead(ann)).toBe(false)
    expect(await lastIsRead(other)).toBe(false)
    await mark(ann, 3)
    expect(await lastIsRead(other)).toBe(true)
  })

  it('moves only forward, and never beyond the last message', async () => {
    const other = await person()
    const { id } = await befriend(ann, other)
    for (const n of count(3)) await say(ann, id, `no. ${n}`)
    const mark = async (seq: number) =>
      (await other.client.ok(markRead, { params: { id }, body: { seq } })).lastReadSeq
    expect(await mark(2)).toBe(2)
    expect(await mark(1)).toBe(2)
    expect(await mark(1_000_000)).toBe(3)
    await say(ann, id, 'one more')
    expect((await history(other, id)).map(({ isRead }) => isRead)).toEqual([true, true, true, false])
    const answers = await Promise.all([4, 1, 3, 4, 2, 4].map(mark))
    expect(answers.every((seq) => seq === 3 || seq === 4)).toBe(true)
    expect(await mark(1)).toBe(4)
  })

  it('ends at the highest of many concurrent reports', async () => {
    const other = await person()
    const { id } = await befriend(ann, other)
    for (const n of count(12)) await say(ann, id, `no. ${n}`)
    await Promise.all(
      [7, 12, 3, 9, 1, 11, 5, 2, 10, 4, 8, 6].map((seq) =>
        other.client.ok(markRead, { params: { id }, body: { seq } }),
      ),
    )
    expect((await history(other, id)).filter(({ isRead }) => !isRead)).toEqual([])
  })
})

it('tells realtime, and no other service, who is a member of a conversation', async () => {
  const ask = async (caller: 'realtime' | 'gateway', id: string, { user }: Person) => {
    const url = `${stack.service('messaging').internalUrl}/internal/conversations/${id}/members/${user.id}`
    const authorization = `Internal ${caller}:${stack.secrets.internalSecrets[caller]}`
    const response = await fetch(url, { headers: { authorization } })
    return [response.status, ((await response.json()) as { isMember?: boolean }).isMember]
  }
  for (const member of [ann, ben]) expect(await ask('realtime', shared.id, member)).toEqual([200, true])
  expect(await ask('realtime', shared.id, eve)).toEqual([200, false])
  expect(await ask('realtime', randomUUID(), ann)).toEqual([200, false])
  expect(await ask('gateway', shared.id, ann)).toEqual([403, undefined])
})

it('answers 404 to a message with media that nobody has uploaded', async () => {
  const body = { conversationId: shared.id, messageType: 'image', mediaUrl: '/objects/1' } as const
  const answer = await ann.client.call(sendMessage, { body })
  expect(answer.status).toBe(404)
  expect(codeOf(answer)).toBe('media_not_found')
})
