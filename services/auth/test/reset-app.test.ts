import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { listConversations, listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { listSessions } from '@sumlock/contracts/session-list-routes'
import { Client } from '@sumlock/deployment/api-client'
import { withDatabase } from '@sumlock/testing/database'
import { mailsFor } from '@sumlock/testing/inbox'
import {
  befriend,
  readUser,
  registerPerson,
  signedInLongAgo,
  unlock,
  unlockedPerson,
} from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { proveEmail } from '@sumlock/testing/prove-email'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const reset = ({ client, password }: Person) => client.call(auth.resetApp, { body: { password } })
const setPin = (person: Person, numericPassword: string) =>
  person.client.call(lockRoutes.setupNumericPassword, { body: { numericPassword } })
const conversationsOf = ({ client }: Person) => client.ok(listConversations)
const say = ({ client }: Person, conversationId: string, content: string) =>
  client.ok(sendMessage, { body: { conversationId, content, messageType: 'text' } })
const historyOf = async ({ client }: Person, id: string) =>
  (await client.ok(listMessages, { params: { id } })).map(({ content }) => content)

async function friends() {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id } = await befriend(ann, ben)
  await say(ben, id, 'from before')
  return { ann, ben, id }
}

it('a reset removes the PIN and the conversations of one person, locked or not, and no one else loses any', async () => {
  const { ann, ben, id } = await friends()
  await proveEmail(stack, ann)
  const elsewhere = new Client(stack)
  await elsewhere.ok(auth.login, { body: { username: ann.username, password: ann.password } })
  const { outboxKey } = await ann.client.ok(lockRoutes.getOutboxKey)
  await ann.client.ok(lockRoutes.lock)
  const wrong = { body: { password: 'not it' } }
  expect(await ann.client.call(auth.resetApp, wrong)).toMatchObject({ body: { code: 'wrong_credentials' } })
  expect(await ann.client.ok(auth.getUser)).toMatchObject({ isSetupComplete: true })

  expect(await reset(ann)).toMatchObject({ status: 200 })
  const after = await readUser(ann.client)
  expect(after).toMatchObject({ isSetupComplete: false, unlockedUntil: null })
  expect(after.userCode).not.toBe(ann.user.userCode)
  await eventually(async () => expect(await elsewhere.call(auth.getUser)).toMatchObject({ status: 401 }))
  expect(await ann.client.call(listConversations)).toMatchObject({ status: 423 })

  ann.pin = '97531'
  await setPin(ann, ann.pin)
  await unlock(ann)
  expect(await conversationsOf(ann)).toEqual([])
  expect(await historyOf(ann, id)).toEqual([])
  expect(await historyOf(ben, id)).toEqual(['from before'])
  expect((await ann.client.ok(lockRoutes.getOutboxKey)).outboxKey).not.toBe(outboxKey)

  await say(ann, id, 'from after')
  expect(await conversationsOf(ann)).toMatchObject([{ id, lastMessage: { content: 'from after' } }])
  expect(await historyOf(ann, id)).toEqual(['from after'])
  await eventually(async () => {
    const mails = await mailsFor(stack.addresses.inboxUrl, ann.user.email)
    expect(mails.map(({ subject }) => subject)).toContain('Your Calculator was reset')
  })
})

it('a reset keeps discreet mode, with the set-up after it, which shows the account for a quarter of an hour', async () => {
  const { ann } = await friends()
  await ann.client.ok(lockRoutes.setDiscreetMode, { body: { isDiscreet: true } })
  await signedInLongAgo(stack, ann)
  expect(await reset(ann)).toMatchObject({ status: 200 })
  expect(await ann.client.ok(auth.getUser)).toMatchObject({ isSetupComplete: false, isDiscreet: true })
  await setPin(ann, ann.pin)
  expect(ann.client.cookies.get('v')).toBe('2')
  await unlock(ann)
  expect(await ann.client.ok(auth.getUser)).toMatchObject({ isDiscreet: true })
})

it('a conversation deleted by a reset is listed again, empty, once it is started with the code of the other', async () => {
  const { ann, ben, id } = await friends()
  await reset(ann)
  await setPin(ann, ann.pin)
  await unlock(ann)
  expect(await befriend(ann, ben)).toMatchObject({ id, lastMessage: null })
  expect(await conversationsOf(ann)).toMatchObject([{ id, lastMessage: null, unreadCount: 0 }])
})

it('the next PIN waits until messaging has cleared what a reset promised to clear', async () => {
  const { ann, id } = await friends()
  await reset(ann)
  // This is the state after a reset during which messaging did not answer.
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection<{ _id: string }>('users')
      .updateOne({ _id: ann.user.id }, { $set: { isClearPending: true } }),
  )
  await withDatabase(stack, 'messaging', (database) =>
    database
      .collection<{ _id: string }>('members')
      .updateOne(
        { _id: `${ann.user.id}|1|${id}` },
        { $set: { clearedSeq: 0, isListed: true }, $unset: { isDeleted: '', resetAt: '' } },
      ),
  )
  expect(await setPin(ann, ann.pin)).toMatchObject({ status: 200 })
  await unlock(ann)
  expect(await conversationsOf(ann)).toEqual([])
  expect(await historyOf(ann, id)).toEqual([])
})

it('a reset forgets the pause after wrong numbers, so that the next number opens at once', async () => {
  const ann = await registerPerson(stack)
  await setPin(ann, ann.pin)
  const guess = () =>
    ann.client.call(lockRoutes.verifyNumericPassword, {
      body: { numericPassword: '99999', entry: 'password-mode' },
    })
  const pausedUntil = async () => (await ann.client.ok(auth.getUser)).unlockPausedUntil
  await guess()
  const [own] = await ann.client.ok(listSessions)
  await withDatabase(stack, 'auth', (database) =>
    database
      .collection<{ _id: string }>('unlock_budgets')
      .updateOne(
        { _id: ann.user.id },
        { $set: { [`sessions.${own?.id}.pausedUntil`]: new Date(Date.now() + 60_000) } },
      ),
  )
  expect(await pausedUntil()).not.toBeNull()
  await reset(ann)
  expect(await pausedUntil()).toBeNull()
  await setPin(ann, '86420')
  ann.pin = '86420'
  await unlock(ann)
})

it('resets at once leave one account without a PIN', async () => {
  const ann = await registerPerson(stack)
  ann.client.keptToken = await ann.client.csrfToken()
  const answers = await Promise.all([reset(ann), reset(ann), reset(ann)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await setPin(ann, ann.pin)).toMatchObject({ status: 200 })
  await unlock(ann)
})
