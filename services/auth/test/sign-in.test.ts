import { createHash } from 'node:crypto'
import * as auth from '@sumlock/contracts/auth-routes'
import { limits } from '@sumlock/contracts/limits'
import { listSessions } from '@sumlock/contracts/session-list-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { sharedBcryptCost, sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { registerPerson } from '@sumlock/testing/people'
import { eventually } from '@sumlock/testing/wait'
import bcrypt from 'bcrypt'
import type { mongo } from 'mongoose'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const stranger = () => new Client({ gatewayUrl: stack.gatewayUrl })
/** Signs in again when the queue of passwords was full, because such a try is not counted. */
const signIn = (client: Client, username: string, password: string) =>
  eventually(async () => {
    const answer = await client.call(auth.login, { body: { username, password } })
    expect(answer.body).not.toMatchObject({ error: expect.stringMatching(/^Many people/) })
    return answer
  })
const wrongAtOnce = (username: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => signIn(stranger(), username, `guess ${index}`)))
const countByStatus = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length

const attemptsOf = (username: string) =>
  createHash('sha256').update(`username:${username}`).digest('base64url')
const setAttempts = (username: string, values: object) =>
  withDatabase(stack, 'auth', (database) =>
    database
      .collection('sign_in_attempts')
      .updateOne({ _id: attemptsOf(username) as never }, { $set: values }, { upsert: true }),
  )
const over = new Date(0)

describe('a wrong account password', () => {
  it('is compared ten times, also when thirty guesses come at once to two replicas', async () => {
    const { username } = await registerPerson(stack)
    const answers = await wrongAtOnce(username, 30)
    expect(countByStatus(answers, 403)).toBe(limits.signInFreeFailures)
    expect(countByStatus(answers, 429)).toBe(20)
  })

  it('pauses the sign-in, and the answer states for how long', async () => {
    const { username, password } = await registerPerson(stack)
    await wrongAtOnce(username, limits.signInFreeFailures)
    const { status, body, headers } = await signIn(stranger(), username, password)
    expect({ status, body }).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests', error: expect.stringMatching(/try again in \d+ seconds/) },
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(limits.signInFirstPauseSeconds)
  })

  it('gets the same answer for an unknown username', async () => {
    const { username } = await registerPerson(stack)
    const answersFor = async (name: string) => {
      const answers = await wrongAtOnce(name, limits.signInFreeFailures)
      const paused = await signIn(stranger(), name, 'another guess')
      return [...answers, paused].map(({ status, body }) => ({ status, keys: Object.keys(body) }))
    }
    expect(await answersFor('unknown.name')).toEqual(await answersFor(username))
  })

  it('doubles the pause, up to a quarter of an hour', async () => {
    const { username, password } = await registerPerson(stack)
    const pauseAfter = async (failures: number) => {
      await setAttempts(username, { failures, lastAt: new Date(), pausedUntil: over })
      expect(await signIn(stranger(), username, 'a guess')).toMatchObject({ status: 403 })
      return Number((await signIn(stranger(), username, password)).headers.get('retry-after'))
    }
    const second = await pauseAfter(10)
    expect(second).toBeGreaterThan(50)
    expect(second).toBeLessThanOrEqual(60)
    const longest = await pauseAfter(1000)
    expect(longest).toBeGreaterThan(880)
    expect(longest).toBeLessThanOrEqual(limits.signInMaxPauseSeconds)
  })

  it('does not pause a device that is signed in', async () => {
    const { client, username, password } = await registerPerson(stack)
    await wrongAtOnce(username, limits.signInFreeFailures + 5)
    expect(await signIn(client, username, password)).toMatchObject({ status: 200 })
    expect(await signIn(stranger(), username, password)).toMatchObject({ status: 429 })
  })

  it('pauses a device that is signed in by its own count, and another person’s cookie does not help', async () => {
    const { client, username, password } = await registerPerson(stack)
    for (let count = 0; count < limits.signInFreeFailures; count += 1)
      expect(await signIn(client, username, `guess ${count}`)).toMatchObject({ status: 403 })
    expect(await signIn(client, username, password)).toMatchObject({ status: 429 })
    const { client: other } = await registerPerson(stack)
    await wrongAtOnce(username, limits.signInFreeFailures)
    expect(await signIn(other, username, password)).toMatchObject({ status: 429 })
  })

  it('pauses a device whose session has ended like any stranger’s', async () => {
    const here = await registerPerson(stack)
    const ended = stranger()
    await signIn(ended, here.username, here.password)
    await here.client.ok(auth.endOtherSessions, { body: { password: here.password } })
    await wrongAtOnce(here.username, limits.signInFreeFailures)
    expect(await signIn(ended, here.username, here.password)).toMatchObject({ status: 429 })
    expect(await signIn(here.client, here.username, here.password)).toMatchObject({ status: 200 })
  })

  it('is allowed ten times again after the right password', async () => {
    const { username, password } = await registerPerson(stack)
    await wrongAtOnce(username, limits.signInFreeFailures)
    await setAttempts(username, { pausedUntil: over })
    expect(await signIn(stranger(), username, password)).toMatchObject({ status: 200 })
    expect(countByStatus(await wrongAtOnce(username, 9), 403)).toBe(9)
    expect(await signIn(stranger(), username, password)).toMatchObject({ status: 200 })
  })
})

it('rehashes a password at the next sign-in when the stored hash has an older cost', async () => {
  const { client, user, username, password } = await registerPerson(stack)
  const withHash = <T>(change: (users: mongo.Collection, filter: object) => Promise<T>) =>
    withDatabase(stack, 'auth', (database) => change(database.collection('users'), { _id: user.id }))
  const storedHash = async () =>
    String((await withHash((users, filter) => users.findOne(filter)))?.['passwordHash'])
  const older = await bcrypt.hash(password, sharedBcryptCost - 1)
  await withHash((users, filter) => users.updateOne(filter, { $set: { passwordHash: older } }))
  expect(await signIn(client, username, 'wrong')).toMatchObject({ status: 403 })
  expect(await storedHash()).toBe(older)
  expect(await signIn(client, username, password)).toMatchObject({ status: 200 })
  expect(bcrypt.getRounds(await storedHash())).toBe(sharedBcryptCost)
  expect(await signIn(client, username, password)).toMatchObject({ status: 200 })
})

describe('ending other sessions', () => {
  it('revokes all other sessions, with the account password', async () => {
    const here = await registerPerson(stack)
    const elsewhere = [stranger(), stranger()]
    for (const client of elsewhere) await signIn(client, here.username, here.password)
    const bystander = await registerPerson(stack)
    await here.client.ok(auth.endOtherSessions, { body: { password: here.password } })
    for (const client of elsewhere) expect(await client.call(auth.getUser)).toMatchObject({ status: 401 })
    expect(await here.client.call(auth.getUser)).toMatchObject({ status: 200 })
    expect(await bystander.client.call(auth.getUser)).toMatchObject({ status: 200 })
  })

  it('revokes nothing with a wrong password, and refuses even the right one after ten', async () => {
    const here = await registerPerson(stack)
    const elsewhere = stranger()
    await signIn(elsewhere, here.username, here.password)
    const end = (password: string) => here.client.call(auth.endOtherSessions, { body: { password } })
    for (let count = 0; count < limits.signInFreeFailures; count += 1)
      expect(await end(`guess ${count}`)).toMatchObject({ status: 403, body: { code: 'wrong_credentials' } })
    expect(await end(here.password)).toMatchObject({ status: 429 })
    expect(await elsewhere.call(auth.getUser)).toMatchObject({ status: 200 })
  })
})

it('the twenty-sixth session of a person ends the one that was seen least recently, not the oldest', async () => {
  const { client: first, username, password } = await registerPerson(stack)
  const second = stranger()
  for (let count = 1; count < limits.sessionsPerPerson; count += 1)
    await signIn(count === 1 ? second : stranger(), username, password)
  for (const client of [first, second]) expect(await client.call(auth.getUser)).toMatchObject({ status: 200 })
  const sessions = await second.ok(listSessions)
  expect(sessions).toHaveLength(25)
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection<{ _id: string }>('sessions')
      .updateOne(
        { _id: sessions.find(({ isCurrent }) => isCurrent)?.id ?? '' },
        { $set: { lastSeenAt: new Date(0) } },
      ),
  )
  await signIn(stranger(), username, password)
  await eventually(async () => expect(await second.call(auth.getUser)).toMatchObject({ status: 401 }))
  expect(await first.call(auth.getUser)).toMatchObject({ status: 200 })
})
