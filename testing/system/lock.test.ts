import { logout } from '@sumlock/contracts/auth-routes'
import { lock, setupNumericPassword } from '@sumlock/contracts/lock-routes'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { SessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { RouteContract } from '@sumlock/contracts/route'
import { createLogger } from '@sumlock/service-kit/logger'
import { createRedis } from '@sumlock/service-kit/redis'
import type { Client } from '@sumlock/deployment/api-client'
import { bounds } from '../kit/bounds.ts'
import { openDevice } from '../kit/seats.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { befriend, registerPerson, unlock, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { connect, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})
const opened: { close(): void }[] = []
afterAll(() => {
  for (const { close } of opened) close()
})

const guarded = Object.entries<RouteContract>(allRoutes).filter(([, { access }]) => access === 'unlocked')

const ask = (client: Client, route: RouteContract, conversationId: string) => {
  const params = { ...route.example?.params, id: conversationId }
  const input = { params, ...(route.body ? { body: {} } : {}) }
  // The compiler cannot see which inputs this route has; the client leaves out the others.
  return client.call(route, input as object)
}

async function expectLocked({ client, user }: Person, conversationId: string): Promise<void> {
  for (const [name, route] of guarded) {
    const { status, body } = await ask(client, route, conversationId)
    expect([name, status, body]).toEqual([name, 423, expect.objectContaining({ code: 'locked' })])
  }
  for (const query of [{}, { conversationId }]) {
    const live = connect({ client, user }, query)
    opened.push(live)
    expect(await nextState(live, ({ refusal }) => refusal !== null)).toMatchObject({ refusal: 'locked' })
  }
}

/** A person with a conversation, and the id of that conversation. */
async function personWithConversation(): Promise<[Person, string]> {
  const [person, friend] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  return [person, (await befriend(person, friend)).id]
}

it('finds the routes of conversations among those that need the PIN', () => {
  expect(guarded.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'listConversations',
      'startConversation',
      'listMessages',
      'markRead',
      'sendMessage',
    ]),
  )
})

it('PERM-05: answers 423 on every guarded route and refuses the socket to a session that never had a PIN', async () => {
  const [, conversationId] = await personWithConversation()
  await expectLocked(await registerPerson(stack), conversationId)
})

it('PERM-06: gives the holder of a locked session’s cookie no data and no way to set another PIN', async () => {
  const [person, conversationId] = await personWithConversation()
  await person.client.ok(lock)
  await expectLocked(person, conversationId)
  const attempt = await person.client.call(setupNumericPassword, { body: { numericPassword: '9999' } })
  expect([attempt.status, attempt.body]).toEqual([409, expect.objectContaining({ code: 'pin_already_set' })])
  await unlock(person)
  for (const [name, route] of guarded) {
    const { status } = await ask(person.client, route, conversationId)
    expect([name, status]).not.toEqual([name, 423])
  }
})

it('locks within a second everywhere, and closes the open sockets of the session on both instances', async () => {
  const [person, conversationId] = await personWithConversation()
  const devices = Array.from({ length: 4 }, () => openDevice(person))
  opened.push(...devices)
  await Promise.all(devices.map(({ live }) => nextState(live, ({ connected }) => connected)))
  const lockedAt = performance.now()
  await person.client.ok(lock)
  const states = await Promise.all(
    devices.map(({ live }) => nextState(live, ({ connected }) => !connected, bounds.lockMs)),
  )
  expect(states.map(({ refusal }) => refusal)).toEqual(devices.map(() => 'locked'))
  expect(performance.now() - lockedAt).toBeLessThan(bounds.lockMs)
  await expectLocked(person, conversationId)
})

it('announces a lock once, however often a locked session is locked again', async () => {
  const said: SessionInvalidated[] = []
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  const redis = createRedis(stack.addresses.redisUrl, logger, { subscriber: true })
  opened.push({ close: () => redis.disconnect() })
  redis.on('message', (_channel: string, text: string) => {
    said.push(sessionInvalidated.data.parse(JSON.parse(text)))
  })
  // The test subscribes before the unlock; later, the hint of the unlock might or might not arrive.
  await redis.subscribe(redisChannel(stack.namespace, sessionInvalidated.channel))
  const { client, user } = await unlockedPerson(stack)
  const reasons = () => said.filter(({ userId }) => userId === user.id).map(({ reason }) => reason)
  for (let time = 0; time < 3; time += 1) await client.ok(lock)
  // Hints of auth arrive in order: all locks have arrived before this one.
  await client.ok(logout)
  await eventually(() => expect(reasons()).toContain('revoked'))
  expect(reasons()).toEqual(['unlocked', 'locked', 'revoked'])
})
