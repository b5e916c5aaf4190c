import { grantPremium } from '@sumlock/contracts/billing-routes'
import { putKnownKey } from '@sumlock/contracts/known-key-routes'
import { markRead, sendMessage, startConversation } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import { registerActors } from '../kit/access/actors.ts'
import type { Actors } from '../kit/access/actors.ts'
import { leaksIn, ownersCanaries } from '../kit/access/canaries.ts'
import type { Canary, Receiver } from '../kit/access/canaries.ts'
import { changesSessions, orderedRoutes as routes } from '../kit/access/ordered-routes.ts'
import { readyCall } from '../kit/access/ready-call.ts'
import type { NamedRoute } from '../kit/access/ready-call.ts'
import type { SessionName } from '../kit/access/verdicts.ts'
import { sized } from '../kit/config.ts'
import { withDatabase } from '../kit/database.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { readUser, unlock, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { connect, nextEvent, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

const words = {
  owner: 'canary of the owner: the key is under the mat',
  friend: 'canary of the friend: I know',
}

let stack: RunningStack
let actors: Actors
const opened: { close(): void }[] = []

beforeAll(async () => {
  stack = await sharedStack()
  actors = await registerActors(stack)
  const { owner, friend, conversationId } = actors
  for (const [{ client }, content] of [[owner, words.owner] as const, [friend, words.friend] as const])
    await client.ok(sendMessage, { body: { conversationId, content } })
  const knownKey = {
    params: { name: 'n'.repeat(43) },
    body: { version: 1, box: 'canary-of-a-known-key'.repeat(2) },
  }
  await owner.client.ok(putKnownKey, knownKey)
})
afterEach(() => actors.closeOpened())
afterAll(() => {
  for (const { close } of opened) close()
})

describe('the stored data of one person', () => {
  const receivers: Readonly<Record<SessionName | 'friend', Receiver>> = {
    anonymous: 'stranger',
    withoutPin: 'stranger',
    deleted: 'stranger',
    other: 'stranger',
    blocked: 'blocked',
    admin: 'admin',
    staleAdmin: 'stranger',
    lockedAdmin: 'stranger',
    revoked: 'stranger',
    suspended: 'stranger',
    locked: 'ownerLocked',
    discreet: 'ownerDiscreet',
    unlocked: 'ownerUnlocked',
    friend: 'friend',
  }

  /** More parallel calls make the test slower. */
  const parallelCalls = 4
  /** The friend has one session, which must stay signed in and unlocked. */
  const isForFriend = ([, { path }]: (typeof routes)[number]) =>
    !['/api/logout', '/api/lock', '/api/login', '/api/register'].includes(path)

  /** Returns the answers of every route to this session. A call that locks other sessions of its account runs alone. */
  async function allAnswersTo(listener: keyof typeof receivers): Promise<string[]> {
    const answers: string[] = []
    const own = listener === 'friend' ? routes.filter(isForFriend) : routes
    const isAlone = (route: NamedRoute) =>
      (['unlocked', 'other', 'blocked', 'admin', 'staleAdmin'].includes(listener) &&
        route[0] === 'changeNumericPassword') ||
      (listener === 'deleted' && route[0] === 'keepAccount')
    const inGroups = (some: readonly NamedRoute[]) =>
      some.flatMap((_route, index) =>
        index % parallelCalls === 0 ? [some.slice(index, index + parallelCalls)] : [],
      )
    const ask = async (group: readonly NamedRoute[], open: () => Promise<Person>) => {
      const some = group.map(async (route) => {
        const { client } = await open()
        const call = await readyCall(route, client, actors.other.client, actors.namedBy(listener))
        return `${route[0]}: ${(await call('own')).text}`
      })
      answers.push(...(await Promise.all(some)))
    }
    const open = () => (listener === 'friend' ? Promise.resolve(actors.friend) : actors.open(listener))
    const changes = own.filter(([, route]) => changesSessions(route))
    const together = changes.filter((route) => !isAlone(route))
    for (const group of [...inGroups(together), changes.filter(isAlone)]) {
      await ask(group, open)
      await actors.closeOpened()
    }
    const shared = await open()
    // Parallel calls must reuse one token.
    await shared.client.csrfToken()
    const others = own.filter((route) => !changes.includes(route))
    for (const group of inGroups(others)) await ask(group, () => Promise.resolve(shared))
    await actors.closeOpened()
    return answers
  }

  const leaks = (answers: readonly string[], receiver: Receiver, canaries: readonly Canary[]) =>
    answers.flatMap((text) => leaksIn(text, receiver, canaries).map(({ field }) => [field, text]))

  it('is found by the search for leaks', async () => {
    const canaries = await ownersCanaries(stack, actors)
    const fields = new Set(canaries.map(({ field }) => field))
    expect([...fields]).toEqual(
      expect.arrayContaining([
        'users.username',
        'users.email',
        'users.phone',
        'users.fullName',
        'users.userCode',
        'users.passwordHash',
        'users.pinMac',
        'sessions.cookieHash',
        'phone_verifications.codeMac',
        'known_keys.box',
        'messages.content',
        'messages.messageId',
        'members._id',
        'grants._id',
      ]),
    )
    // The owner may receive these fields. As answers to a stranger, they must count as leaks.
    const found = leaks(await allAnswersTo('unlocked'), 'stranger', canaries).map(([field]) => field)
    expect(found).toEqual(
      expect.arrayContaining(['users.email', 'users.phone', 'users.fullName', 'messages.content']),
    )
  })

  it('is not searched while a collection is missing from the table of collections', async () => {
    await withDatabase(stack, 'messaging', (database) => database.createCollection('added_later'))
    try {
      await expect(ownersCanaries(stack, actors)).rejects.toThrow('messaging.added_later is not in the table')
    } finally {
      await withDatabase(stack, 'messaging', (database) => database.dropCollection('added_later'))
    }
    const fields = (await ownersCanaries(stack, actors)).map(({ field }) => field)
    expect(fields).toEqual(
      expect.arrayContaining(['people.userCode', 'entitlements._id', 'accounts._id', 'outbox._id']),
    )
  })

  // The small size uses a signed-out, a locked, an unlocked and an admin's session.
  const listeners = sized({
    small: ['anonymous', 'discreet', 'other', 'admin'] as const,
    full: Object.keys(receivers) as (keyof typeof receivers)[],
  })
  it.each(listeners.map((session) => [session, receivers[session]] as const))(
    'is in no answer to %s, except the fields this session may see',
    async (...[session, receiver]) => {
      const answers = await allAnswersTo(session)
      expect(answers.length).toBeGreaterThan(routes.length / 2)
      expect(leaks(answers, receiver, await ownersCanaries(stack, actors))).toEqual([])
    },
  )

  it('reaches no socket of another person, except in their shared conversation', async () => {
    const { owner, friend, other, admin, conversationId } = actors
    const stranger = await unlockedPerson(stack)
    // The matrix changed their numbers, which locks their other sessions.
    await Promise.all([owner, other].map(unlock))
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
    /** Waits until all these events have arrived; after a short outage of Redis, clients would fetch instead. */
    const untilHeard = (events: [Person, ServerEvent['type']][], cause: () => Promise<unknown>) =>
      eventually(
        async () => {
          const coming = events.map(([person, type]) =>
            nextEvent(lives.get(person) as LiveConnection, (event) => event.type === type, 5000),
          )
          await Promise.all([...coming, cause()])
        },
        { timeoutMs: 60_000 },
      )
    const premium = (person: Person) =>
      admin.client.ok(grantPremium, { body: { userId: person.user.id, days: 1 } })
    const content = 'canary over the socket: third drawer'
    await untilHeard(
      [
        [owner, 'new_message'],
        [owner, 'message_read'],
        [owner, 'limits_changed'],
        [friend, 'new_message'],
        [friend, 'message_read'],
      ],
      async () => {
        await premium(owner)
        const { seq } = await owner.client.ok(sendMessage, { body: { conversationId, content } })
        await friend.client.ok(markRead, { params: { id: conversationId }, body: { seq } })
      },
    )

    // A later message through the same process: earlier events have arrived by then.
    // The matrix has changed the other person's code.
    const { userCode } = await readUser(other.client)
    const { id: ownConversation } = await stranger.client.ok(startConversation, { body: { userCode } })
    await untilHeard(
      [
        [other, 'new_message'],
        [stranger, 'new_message'],
      ],
      async () => {
        await premium(stranger)
        await stranger.client.ok(sendMessage, {
          body: { conversationId: ownConversation, content: 'hello' },
        })
      },
    )
    const canaries = await ownersCanaries(stack, actors)
    const eventsOf = (person: Person) => JSON.stringify(heard.get(person))
    await eventually(() => expect(eventsOf(friend)).toContain(content))
    expect(leaksIn(eventsOf(friend), 'friend', canaries)).toEqual([])
    for (const person of [other, stranger])
      expect(leaksIn(eventsOf(person), 'stranger', canaries)).toEqual([])
    expect(leaksIn(eventsOf(owner), 'ownerUnlocked', canaries)).toEqual([])
  })
})
