import { allRoutes } from '@sumlock/contracts/all-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { markRead, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import { readyCall } from '../kit/access/calls.ts'
import { leaksIn, ownersCanaries } from '../kit/access/canaries.ts'
import type { Canary, Ear } from '../kit/access/canaries.ts'
import { inviteCast } from '../kit/access/cast.ts'
import type { Cast } from '../kit/access/cast.ts'
import { expectedAnswer, handshakeVerdicts, sessionNames, tokenNames } from '../kit/access/verdicts.ts'
import type { SessionName } from '../kit/access/verdicts.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { befriend, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { connect, nextEvent, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

const routes = Object.entries<RouteContract>(allRoutes)
const words = {
  owner: 'canary of the owner: the key is under the mat',
  friend: 'canary of the friend: I know',
}

let stack: RunningStack
let cast: Cast
const opened: { close(): void }[] = []

beforeAll(async () => {
  stack = await sharedStack()
  cast = await inviteCast(stack)
  const { owner, friend, conversationId } = cast
  for (const [{ client }, content] of [[owner, words.owner] as const, [friend, words.friend] as const])
    await client.ok(sendMessage, { body: { conversationId, content } })
})
afterEach(() => cast.closeOpened())
afterAll(() => {
  for (const { close } of opened) close()
})

describe('every session at every route, without a token, with another one’s, and with its own', () => {
  it.each(routes)('%s answers as the table says', async (...route) => {
    const rows = await Promise.all(
      sessionNames.map(async (session) => {
        const { client } = await cast.open(session)
        const call = await readyCall(route, client, cast.friend.client, cast)
        const answers: [SessionName, string, string, string][] = []
        // In this order: had a refused call changed something, the last one would not succeed.
        for (const token of tokenNames) {
          const { outcome } = await call.make(token)
          answers.push([session, token, outcome, expectedAnswer(route, session, token)])
        }
        return answers
      }),
    )
    const table = rows.flat()
    const asSaid = table.map(([session, token, outcome]) => [session, token, outcome])
    expect(asSaid).toEqual(table.map(([session, token, , expected]) => [session, token, expected]))
  })
})

describe('every session at the socket', () => {
  const told = async (person: Pick<Person, 'client' | 'user'>, query: Parameters<typeof connect>[1]) => {
    const live = connect(person, query)
    opened.push(live)
    const { refusal } = await nextState(live, ({ connected, refusal }) => connected || refusal !== null)
    return refusal
  }

  it.each(sessionNames)('%s is told what the table says', async (session) => {
    const person = await cast.open(session)
    const { conversationId } = cast
    expect(await told(person, {})).toBe(handshakeVerdicts.plain[session])
    expect(await told(person, { conversationId })).toBe(handshakeVerdicts.conversation[session])
  })

  it.each(['other', 'unlocked'] as const)('%s cannot claim to be somebody else', async (session) => {
    const person = await cast.open(session)
    const { user } = session === 'other' ? cast.owner : cast.other
    expect(await told({ client: person.client, user }, {})).toBe('not_allowed')
  })
})

describe('what is stored of one person', () => {
  const ears: Readonly<Record<SessionName | 'friend', Ear>> = {
    ...{ anonymous: 'nobody', withoutPin: 'nobody', other: 'nobody', admin: 'nobody', revoked: 'nobody' },
    lockedAdmin: 'nobody',
    ...{ locked: 'ownerLocked', discreet: 'ownerDiscreet', unlocked: 'ownerUnlocked', friend: 'friend' },
  }

  /** More at once makes it slower. */
  const atOnce = 4
  /** The friend has one device only, and stays there. */
  const isForFriend = ([, { path }]: (typeof routes)[number]) =>
    !['/api/logout', '/api/lock', '/api/login', '/api/register'].includes(path)

  /** All answers somebody gets who calls every route with all they have. */
  async function everythingSaidTo(listener: keyof typeof ears): Promise<string[]> {
    const said: string[] = []
    const own = listener === 'friend' ? routes.filter(isForFriend) : routes
    for (let from = 0; from < own.length; from += atOnce) {
      const some = own.slice(from, from + atOnce).map(async (route) => {
        const { client } = listener === 'friend' ? cast.friend : await cast.open(listener)
        const call = await readyCall(route, client, cast.other.client, cast)
        return `${route[0]}: ${(await call.make('own')).said}`
      })
      said.push(...(await Promise.all(some)))
      await cast.closeOpened()
    }
    return said
  }

  const leaks = (said: readonly string[], ear: Ear, canaries: readonly Canary[]) =>
    said.flatMap((text) => leaksIn(text, ear, canaries).map(({ field }) => [field, text]))

  it('is found by what looks for it', async () => {
    const canaries = await ownersCanaries(stack, cast)
    const fields = new Set(canaries.map(({ field }) => field))
    expect([...fields]).toEqual(
      expect.arrayContaining([
        ...['users.username', 'users.email', 'users.phone', 'users.fullName', 'users.userCode'],
        ...['users.passwordHash', 'users.pinHash', 'sessions.cookieHash', 'phone_verifications.codeMac'],
        ...['messages.content', 'messages.messageId', 'conversations._id', 'grants._id'],
      ]),
    )
    // Its owner does hear it: an ear that may know nothing would be told of it.
    const heard = leaks(await everythingSaidTo('unlocked'), 'nobody', canaries).map(([field]) => field)
    expect(heard).toEqual(
      expect.arrayContaining(['users.email', 'users.phone', 'users.fullName', 'messages.content']),
    )
  })

  it.each(Object.entries(ears))(
    'never stands in an answer to %s beyond what is theirs',
    async (...[who, ear]) => {
      const said = await everythingSaidTo(who as keyof typeof ears)
      expect(said.length).toBeGreaterThan(routes.length / 2)
      expect(leaks(said, ear, await ownersCanaries(stack, cast))).toEqual([])
    },
  )

  it('never reaches the socket of anybody else outside of the shared conversation', async () => {
    const { owner, friend, other, admin, conversationId } = cast
    const stranger = await unlockedPerson(stack)
    const heard = new Map<Person, ServerEvent[]>()
    const lives = new Map<Person, LiveConnection>()
    for (const person of [owner, friend, other, stranger]) {
      const live = connect(person)
      opened.push(live)
      const events: ServerEvent[] = []
      heard.set(person, events)
      lives.set(person, live)
      live.subscribe({ onEvent: (event) => events.push(event) })
      await nextState(live, ({ connected }) => connected)
    }
    const comesTo = (person: Person, type: ServerEvent['type']) =>
      nextEvent(lives.get(person) as LiveConnection, (event) => event.type === type)
    const coming = [
      ...(['new_message', 'message_read', 'limits_changed'] as const).map((type) => comesTo(owner, type)),
      ...(['new_message', 'message_read'] as const).map((type) => comesTo(friend, type)),
    ]
    const content = 'canary over the socket: third drawer'
    const { seq } = await owner.client.ok(sendMessage, { body: { conversationId, content } })
    await friend.client.ok(markRead, { params: { id: conversationId }, body: { seq } })
    await admin.client.ok(grantPremium, { body: { userId: owner.user.id, days: 1 } })
    await Promise.all(coming)

    // Whatever either of them hears by mistake comes before this message, through the same process.
    const { id: ownConversation } = await befriend(stranger, other)
    const own = [other, stranger].map((person) => comesTo(person, 'new_message'))
    await stranger.client.ok(sendMessage, { body: { conversationId: ownConversation, content: 'hello' } })
    await Promise.all(own)
    const canaries = await ownersCanaries(stack, cast)
    const saidTo = (person: Person) => JSON.stringify(heard.get(person))
    await eventually(() => expect(saidTo(friend)).toContain(content))
    expect(leaksIn(saidTo(friend), 'friend', canaries)).toEqual([])
    for (const person of [other, stranger]) expect(leaksIn(saidTo(person), 'nobody', canaries)).toEqual([])
    expect(leaksIn(saidTo(owner), 'ownerUnlocked', canaries)).toEqual([])
  })
})
