import { rotateUserCode } from '@sumlock/contracts/auth-routes'
import { listConversations, startConversation } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { befriend, readUser, retryUnavailable, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

const start = ({ client }: Person, userCode: string) => client.call(startConversation, { body: { userCode } })
const unknown = { status: 404, body: { code: 'unknown_user_code' } }

it('D-19: a new user code replaces the former one at once, and conversations stay', async () => {
  const [ann, ben, stranger] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
  ])
  const { id } = await befriend(ben, ann)
  const { userCode } = await ann.client.ok(rotateUserCode)
  expect(await readUser(ann.client)).toMatchObject({ userCode })

  expect(await start(stranger, ann.user.userCode)).toMatchObject(unknown)
  expect(await start(ben, ann.user.userCode)).toMatchObject(unknown)
  expect(await start(stranger, userCode)).toMatchObject({ status: 201 })
  await eventually(async () =>
    expect(await ben.client.ok(listConversations)).toMatchObject([{ id, otherUser: { userCode } }]),
  )
})

it('of ten rotations at once, one code stays and all others are retired', async () => {
  const ann = await unlockedPerson(stack)
  ann.client.keptToken = await ann.client.csrfToken()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => retryUnavailable(() => ann.client.ok(rotateUserCode))),
  )
  const { userCode } = await readUser(ann.client)
  const given = [ann.user.userCode, ...answers.map((answer) => answer.userCode)]
  expect(new Set(given).size).toBe(11)
  expect(given).toContain(userCode)
  const stored = given.filter((code) => code !== userCode).map((code) => code.replaceAll('-', ''))
  const retired = await withDatabase(stack, 'auth', (database) =>
    database
      .collection<{ _id: string }>('retired_codes')
      .find({ _id: { $in: given.map((code) => code.replaceAll('-', '')) } })
      .toArray(),
  )
  expect(retired.map(({ _id }) => _id).sort()).toEqual(stored.sort())
})
