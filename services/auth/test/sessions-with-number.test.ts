import * as auth from '@sumlock/contracts/auth-routes'
import { limits } from '@sumlock/contracts/limits'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { endSession, listSessions } from '@sumlock/contracts/session-list-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { registerPerson, unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

/** The person on another device, with the account password and without the number. */
async function signedInAnew({ username, password }: Person): Promise<Client> {
  const client = new Client(stack)
  await client.ok(auth.login, { body: { username, password } })
  return client
}
const idOf = async (client: Client) =>
  (await client.ok(listSessions)).find(({ isCurrent }) => isCurrent)?.id ?? ''
const end = (client: Client, { password }: Person, sessionId: string) =>
  client.call(endSession, { params: { sessionId }, body: { password } })
const endOthers = (client: Client, { password }: Person) =>
  client.call(auth.endOtherSessions, { body: { password } })
const isSignedIn = async (client: Client) => (await client.call(auth.getUser)).status === 200
const isSignedOut = (client: Client) =>
  eventually(async () => expect(await client.call(auth.getUser)).toMatchObject({ status: 401 }))
const refused = { status: 403, body: { code: 'number_not_given' } }

it('a session without the number signs out other sessions without it, and none with it', async () => {
  const ann = await unlockedPerson(stack)
  const [anew, other] = [await signedInAnew(ann), await signedInAnew(ann)]
  const [own, ofOther] = [await idOf(ann.client), await idOf(other)]
  await ann.client.ok(lockRoutes.lock)
  expect(await end(anew, ann, own)).toMatchObject(refused)
  expect(await endOthers(anew, ann)).toMatchObject(refused)
  expect([await isSignedIn(ann.client), await isSignedIn(other)]).toEqual([true, true])
  expect(await end(anew, ann, ofOther)).toMatchObject({ status: 200 })
  await isSignedOut(other)

  await unlock({ ...ann, client: anew })
  expect(await endOthers(anew, ann)).toMatchObject({ status: 200 })
  await isSignedOut(ann.client)
})

it('a session in which the number was chosen cannot be signed out by one without it', async () => {
  const ann = await registerPerson(stack)
  await ann.client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: '24680' } })
  expect(await endOthers(await signedInAnew(ann), ann)).toMatchObject(refused)
})

it('in an account without a number each session signs out the others', async () => {
  const ann = await registerPerson(stack)
  expect(await endOthers(await signedInAnew(ann), ann)).toMatchObject({ status: 200 })
  await isSignedOut(ann.client)
})

describe('a person with as many sessions as may be', () => {
  const signInTimes = async (person: Person, times: number) => {
    const clients: Client[] = []
    for (let count = 0; count < times; count += 1) clients.push(await signedInAnew(person))
    return clients
  }
  /** Marks all sessions as if the number had been right in them. */
  const giveNumber = ({ user }: Person) =>
    withDatabase(stack, 'auth', (database) =>
      database.collection('sessions').updateMany({ userId: user.id }, { $set: { pinGivenAt: new Date() } }),
    )

  it('loses at a sign-in the session without the number that was seen least recently, and none with it', async () => {
    const ann = await unlockedPerson(stack)
    const [first] = await signInTimes(ann, limits.sessionsPerPerson)
    expect(await isSignedIn(ann.client)).toBe(true)
    await isSignedOut(first as Client)
  })

  it('has one more without the number, and loses one when the number is right there', async () => {
    const ann = await unlockedPerson(stack)
    await signInTimes(ann, limits.sessionsPerPerson - 1)
    await giveNumber(ann)
    const [first, second] = await signInTimes(ann, 2)
    await isSignedOut(first as Client)
    expect(await ann.client.ok(listSessions)).toHaveLength(limits.sessionsPerPerson + 1)
    await unlock({ ...ann, client: second as Client })
    await eventually(async () =>
      expect(await (second as Client).ok(listSessions)).toHaveLength(limits.sessionsPerPerson),
    )
  })
})
