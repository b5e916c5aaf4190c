import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { registerPerson, signedInLongAgo, unlock } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

/** A locked person with a PIN who signed in twenty minutes ago, in discreet mode or not. */
async function lockedPerson(isDiscreet: boolean): Promise<Person> {
  const person = await registerPerson(stack)
  await person.client.ok(lockRoutes.setupNumericPassword, {
    body: { numericPassword: person.pin, isDiscreet },
  })
  await signedInLongAgo(stack, person)
  return person
}

const switchTo = ({ client }: Person, isDiscreet: boolean) =>
  client.call(lockRoutes.setDiscreetMode, { body: { isDiscreet } })
const stepUp = { status: 403, body: { code: 'step_up_required' } }

describe('an account in discreet mode', () => {
  it('shows a locked session five fields and nothing else', async () => {
    const person = await lockedPerson(true)
    expect(await person.client.ok(auth.getUser)).toEqual({
      id: person.user.id,
      username: person.username,
      isSetupComplete: true,
      silentCheck: false,
      unlockPausedUntil: null,
    })
  })

  it('is shown completely while unlocked, and reduced after the lock', async () => {
    const person = await lockedPerson(true)
    await unlock(person)
    expect(await person.client.ok(auth.getUser)).toMatchObject({
      email: `${person.username}@example.com`,
      isDiscreet: true,
      silentCheck: false,
    })
    await person.client.ok(lockRoutes.lock)
    expect(await person.client.ok(auth.getUser)).not.toHaveProperty('email')
  })

  it('is shown completely to a locked session for a quarter of an hour after its sign-in', async () => {
    const person = await lockedPerson(true)
    const { username, password } = person
    expect(await person.client.ok(auth.login, { body: { username, password } })).toHaveProperty('email')
    expect(await person.client.ok(auth.getUser)).toHaveProperty('email')
    await signedInLongAgo(stack, person, 14)
    expect(await person.client.ok(auth.getUser)).toHaveProperty('email')
    await signedInLongAgo(stack, person, 16)
    expect(await person.client.ok(auth.getUser)).not.toHaveProperty('email')
  })

  it('shows that unlocking is paused', async () => {
    const { client, username, password, user } = await lockedPerson(true)
    // The person signs in again, because a pause of the account does not affect a session that had the number.
    await client.ok(auth.login, { body: { username, password } })
    await signedInLongAgo(stack, { client })
    await client.call(lockRoutes.verifyNumericPassword, { body: { numericPassword: '99999' } })
    const pausedUntil = new Date(Date.now() + 60_000)
    await withDatabase(stack, 'auth', (database) =>
      database.collection('unlock_budgets').updateOne({ _id: user.id as never }, { $set: { pausedUntil } }),
    )
    expect(await client.ok(auth.getUser)).toMatchObject({ unlockPausedUntil: expect.any(String) })
  })

  it('answers a silent check of the right number like a wrong number', async () => {
    const person = await lockedPerson(true)
    const probe = { body: { numericPassword: person.pin, intent: 'probe' as const } }
    expect(await person.client.call(lockRoutes.verifyNumericPassword, probe)).toMatchObject({
      status: 403,
      body: { code: 'wrong_pin' },
    })
  })
})

describe('discreet mode', () => {
  it('is switched on and off only after an unlock or a recent sign-in', async () => {
    const open = await lockedPerson(false)
    expect(await switchTo(open, true)).toMatchObject(stepUp)
    expect(await open.client.ok(auth.getUser)).toHaveProperty('email')
    const discreet = await lockedPerson(true)
    expect(await switchTo(discreet, false)).toMatchObject(stepUp)
    expect(await discreet.client.ok(auth.getUser)).not.toHaveProperty('email')
  })

  it('can be switched while unlocked, and right after a sign-in while locked', async () => {
    const person = await lockedPerson(false)
    await unlock(person)
    expect(await switchTo(person, true)).toMatchObject({ status: 200 })
    await person.client.ok(lockRoutes.lock)
    expect(await person.client.ok(auth.getUser)).not.toHaveProperty('email')
    const { username, password } = person
    await person.client.ok(auth.login, { body: { username, password } })
    expect(await switchTo(person, false)).toMatchObject({ status: 200 })
    await signedInLongAgo(stack, person)
    expect(await person.client.ok(auth.getUser)).toHaveProperty('email')
  })
})

describe('the device marker', () => {
  /** The last Set-Cookie line of each cookie, by name. */
  const lineOf = (headers: Headers, name: string) =>
    headers.getSetCookie().find((line) => line.startsWith(`${name}=`))

  it('is a cookie that scripts can read and that distinguishes discreet mode', async () => {
    const { client, username, password, pin } = await registerPerson(stack)
    expect(client.cookies.get('v')).toBe('1')
    const { headers } = await client.call(auth.login, { body: { username, password } })
    expect(lineOf(headers, 'v')).toBe('v=1; Path=/; SameSite=Lax; Max-Age=34560000')
    expect(lineOf(headers, 'sid')).toMatch(/; HttpOnly/)
    await client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: pin, isDiscreet: true } })
    expect(client.cookies.get('v')).toBe('2')
    await client.ok(lockRoutes.setDiscreetMode, { body: { isDiscreet: false } })
    expect(client.cookies.get('v')).toBe('1')
    await client.ok(lockRoutes.setDiscreetMode, { body: { isDiscreet: true } })
    client.cookies.delete('v')
    await client.ok(auth.login, { body: { username, password } })
    expect(client.cookies.get('v')).toBe('2')
  })

  it('is removed by a logout and by nothing else', async () => {
    const { client } = await registerPerson(stack)
    await client.ok(lockRoutes.lock)
    expect(client.cookies.get('v')).toBe('1')
    await client.ok(auth.logout)
    expect(client.cookies.has('v')).toBe(false)
  })
})

it('returns the outbox key to an unlocked session and not to a locked one', async () => {
  const person = await lockedPerson(false)
  expect(await person.client.call(lockRoutes.getOutboxKey)).toMatchObject({ status: 423 })
  const unlocked = await person.client.ok(lockRoutes.verifyNumericPassword, {
    body: { numericPassword: person.pin },
  })
  const { outboxKey } = await person.client.ok(lockRoutes.getOutboxKey)
  expect(unlocked).toMatchObject({ outboxKey })
  expect(Buffer.from(outboxKey, 'base64')).toHaveLength(32)
})
