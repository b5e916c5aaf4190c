import * as auth from '@sumlock/contracts/auth-routes'
import { limits } from '@sumlock/contracts/limits'
import { lock, verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { Client } from '@sumlock/deployment/api-client'
import { utcDay } from '@sumlock/service-kit/clock'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import { registerPerson, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { PasswordGuesses } from '../src/domain/user.ts'
import { noteWrongPassword } from '../src/use-cases/note-wrong-password.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const withUsers = <T>(read: (users: ReturnType<typeof collection>) => Promise<T>) =>
  withDatabase(stack, 'auth', (database) => read(collection(database)))
const collection = (database: Parameters<Parameters<typeof withDatabase>[2]>[0]) =>
  database.collection<{ _id: string; guesses?: PasswordGuesses }>('users')
const guessesOf = ({ user }: Person) =>
  withUsers(async (users) => (await users.findOne({ _id: user.id }))?.guesses)
const setGuesses = ({ user }: Person, guesses: PasswordGuesses) =>
  withUsers((users) => users.updateOne({ _id: user.id }, { $set: { guesses } }))

const guess = ({ username }: Person) =>
  new Client(stack).call(auth.login, { body: { username, password: 'not it' } })
const unlock = ({ client, pin }: Person) =>
  client.ok(verifyNumericPassword, { body: { numericPassword: pin } })
const today = () => utcDay(new Date())
const mailsTo = async ({ user }: Person) =>
  (await mailsFor(stack.addresses.inboxUrl, user.email)).filter(
    ({ subject }) => subject === 'Wrong passwords for your account',
  )

it('an unlock reports once the number of wrong passwords since the previous unlock', async () => {
  const ann = await unlockedPerson(stack)
  await ann.client.ok(lock)
  for (let count = 0; count < 2; count += 1) expect(await guess(ann)).toMatchObject({ status: 403 })
  const wrong = { body: { password: 'not it either' } }
  expect(await ann.client.call(auth.endOtherSessions, wrong)).toMatchObject({ status: 403 })
  await eventually(async () => expect(await guessesOf(ann)).toMatchObject({ sinceUnlock: 3 }))
  expect(await unlock(ann)).toMatchObject({ wrongPasswords: 3, wrongEntries: 0 })
  expect(await unlock(ann)).toMatchObject({ wrongPasswords: 0 })
})

it('the twentieth wrong password of a day causes one mail to a proven address', async () => {
  const ann = await registerPerson(stack)
  await proveEmail(stack, ann)
  const before = limits.wrongPasswordsToldAt - 2
  await setGuesses(ann, { sinceUnlock: 0, day: today(), ofDay: before, toldOn: '2026-01-01' })
  const guessed = async (ofDay: number) => {
    await guess(ann)
    await eventually(async () => expect(await guessesOf(ann)).toMatchObject({ ofDay }))
  }
  await guessed(before + 1)
  expect(await guessesOf(ann)).toMatchObject({ toldOn: '2026-01-01' })
  await guessed(before + 2)
  await eventually(async () => expect(await mailsTo(ann)).toHaveLength(1))
  await guessed(before + 3)
  // A later mail of another kind arrives after everything that was requested before it.
  await ann.client.ok(auth.resetApp, { body: { password: ann.password } })
  await eventually(async () => {
    const subjects = (await mailsFor(stack.addresses.inboxUrl, ann.user.email)).map(({ subject }) => subject)
    expect(subjects).toContain('Your Calculator was reset')
  })
  expect(await mailsTo(ann)).toHaveLength(1)
})

it('many wrong passwords at once cause one mail', async () => {
  const ctx = await createContext(readConfig(stack.service('auth').environment))
  try {
    const ann = await registerPerson(stack)
    await proveEmail(stack, ann)
    await setGuesses(ann, { sinceUnlock: 0, day: today(), ofDay: limits.wrongPasswordsToldAt })
    const noted = Array.from({ length: 6 }, () => noteWrongPassword(ctx, ann.user.id))
    await Promise.all(noted)
    // A later mail of another kind arrives after everything that was requested before it.
    await ann.client.ok(auth.resetApp, { body: { password: ann.password } })
    await eventually(async () => {
      const subjects = (await mailsFor(stack.addresses.inboxUrl, ann.user.email)).map((mail) => mail.subject)
      expect(subjects).toContain('Your Calculator was reset')
    })
    expect(await mailsTo(ann)).toHaveLength(1)
  } finally {
    await ctx.close()
  }
})

it('wrong passwords cause a mail once the address is proven, and not before', async () => {
  const ann = await registerPerson(stack)
  await setGuesses(ann, { sinceUnlock: 0, day: today(), ofDay: limits.wrongPasswordsToldAt - 1 })
  await guess(ann)
  await eventually(async () => expect((await guessesOf(ann))?.ofDay).toBe(limits.wrongPasswordsToldAt))
  await proveEmail(stack, ann)
  expect(await guessesOf(ann)).not.toHaveProperty('toldOn')
  await guess(ann)
  await eventually(async () => expect(await mailsTo(ann)).toHaveLength(1))
})

it('wrong passwords of another day do not count for the mail', async () => {
  const ann = await registerPerson(stack)
  await setGuesses(ann, { sinceUnlock: 30, day: '2026-01-01', ofDay: 30 })
  await guess(ann)
  await eventually(async () =>
    expect(await guessesOf(ann)).toEqual({ sinceUnlock: 31, day: today(), ofDay: 1 }),
  )
})
