import * as auth from '@sumlock/contracts/auth-routes'
import { endSession, listSessions } from '@sumlock/contracts/session-list-routes'
import { Client } from '@sumlock/deployment/api-client'
import { bounds } from '@sumlock/testing/bounds'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import { registerPerson, unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { connect, nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const firefox = 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'

async function signInElsewhere({ username, password }: Person) {
  const client = new Client(stack)
  await client.raw('POST', auth.login.path, {
    headers: {
      'content-type': 'application/json',
      'user-agent': firefox,
      'x-csrf-token': await client.csrfToken(),
    },
    body: JSON.stringify({ username, password }),
  })
  return client
}
const end = ({ client, password }: Person, id: string, given = password) =>
  client.call(endSession, { params: { sessionId: id }, body: { password: given } })
const otherOf = async ({ client }: Person) =>
  (await client.ok(listSessions)).find(({ isCurrent }) => !isCurrent)

it('lists the sessions of an account by device, including the calling one', async () => {
  const ann = await unlockedPerson(stack)
  await signInElsewhere(ann)
  const sessions = await ann.client.ok(listSessions)
  expect(sessions).toHaveLength(2)
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  expect(await otherOf(ann)).toMatchObject({ device: 'Firefox on Android', addressFamily: 'IPv4' })
  expect(JSON.stringify(sessions)).not.toMatch(/127\.0\.0\.1|rv:140/)
})

it('ends one session with the account password, on every gateway and its socket within a second, and no other', async () => {
  const ann = await unlockedPerson(stack)
  const lost = await signInElsewhere(ann)
  const kept = await signInElsewhere(ann)
  const listed = await lost.ok(listSessions)
  const id = listed.find(({ isCurrent }) => isCurrent)?.id ?? ''
  expect(await end(ann, id, 'not it')).toMatchObject({ status: 403, body: { code: 'wrong_credentials' } })
  expect(await lost.call(auth.getUser)).toMatchObject({ status: 200 })

  await unlock({ ...ann, client: lost })
  const live = connect({ client: lost, user: ann.user })
  await nextState(live, ({ connected }) => connected)
  const closed = nextState(live, ({ connected }) => !connected, bounds.lockMs)
  expect(await end(ann, id)).toMatchObject({ status: 200 })
  await closed
  live.close()
  await eventually(async () => expect(await lost.call(auth.getUser)).toMatchObject({ status: 401 }), {
    timeoutMs: bounds.lockMs,
  })
  const row = await withDatabase(stack, 'auth', (database) =>
    database.collection<{ _id: string }>('sessions').findOne({ _id: id }),
  )
  expect(row).not.toBeNull()
  for (const field of ['device', 'addressFamily', 'lastSeenAt']) expect(row).not.toHaveProperty(field)
  expect(await kept.call(auth.getUser)).toMatchObject({ status: 200 })
  expect(await end(ann, id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

it('ends no session of another person', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const [session] = await ben.client.ok(listSessions)
  expect(await end(ann, session?.id ?? '')).toMatchObject({ status: 404 })
  expect(await ben.client.call(auth.getUser)).toMatchObject({ status: 200 })
})

it('shows a session that has just signed in where a lost device can be signed out', async () => {
  const ann = await registerPerson(stack)
  const found = await signInElsewhere(ann)
  expect(await found.ok(listSessions)).toHaveLength(2)
})

it('mails about five sign-ins within an hour, and about no further one', async () => {
  const ann = await unlockedPerson(stack)
  await proveEmail(stack, ann)
  const subjects = async () =>
    (await mailsFor(stack.addresses.inboxUrl, ann.user.email)).map(({ subject }) => subject)
  const ofSignIns = async () =>
    (await subjects()).filter((subject) => subject === 'New sign-in to your account')
  for (let count = 0; count < 7; count += 1) await signInElsewhere(ann)
  await eventually(async () => expect(await ofSignIns()).toHaveLength(5))
  // A later mail of another kind proves that the seven requests were settled before it.
  await ann.client.ok(auth.changePassword, {
    body: { password: ann.password, newPassword: 'another horse' },
  })
  await eventually(async () => expect(await subjects()).toContain('Your password was changed'))
  expect(await ofSignIns()).toHaveLength(5)
})
