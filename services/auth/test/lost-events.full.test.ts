import { deleteAccount as deletion } from '@sumlock/contracts/account-routes'
import { putIdentity } from '@sumlock/contracts/identity-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { startFaultStack } from '@sumlock/testing/faults/fault-stack'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import { deleteAccount } from '../src/use-cases/delete-account.ts'
import { keepIdentity } from '../src/use-cases/keep-identity.ts'
import { rotateUserCode } from '../src/use-cases/rotate-user-code.ts'
import { newKey, unlock } from './own-keys.ts'

const withinAMinute = { timeoutMs: 60_000, everyMs: 500 }

async function friends(stack: RunningStack) {
  const [ann, ben] = await Promise.all([
    unlockedPerson(stack, { pin: '24680' }),
    unlockedPerson(stack, { pin: '24680' }),
  ])
  await befriend(ann, ben)
  return { ann, ben }
}
/** The other person as messaging lists them. */
const other = async ({ client }: Person) => (await client.ok(listConversations))[0]?.otherUser

it('messaging learns of a new key, a new code and a deletion within a minute, although their events never come', async () => {
  const stack = await sharedStack()
  const { ann, ben } = await friends(stack)
  const opened = await createContext(readConfig(stack.service('auth').environment))
  const silent = { ...opened, outbox: { ...opened.outbox, add: () => Promise.resolve() } }
  try {
    const { key, body } = await newKey(ben, await unlock(ben))
    const userId = ben.user.id
    const session = await withDatabase(stack, 'auth', (database) =>
      database.collection<{ _id: string }>('sessions').findOne({ userId }),
    )
    const sessionId = session?._id ?? ''
    expect(await other(ann)).not.toHaveProperty('keys')

    await keepIdentity(silent, { userId, sessionId, key, pinVersion: body.pinVersion })
    await eventually(
      async () => expect(await other(ann)).toMatchObject({ keys: [{ epoch: 1, pub: key.pub }] }),
      withinAMinute,
    )

    await rotateUserCode(silent, { userId })
    await deleteAccount(silent, { userId, sessionId, password: ben.password })
    await eventually(async () => {
      const shown = await other(ann)
      expect(shown).toMatchObject({ isGone: true })
      expect(shown?.userCode).not.toBe(ben.user.userCode)
    }, withinAMinute)
  } finally {
    await opened.close()
  }
}, 180_000)

it('messaging learns of a new key and a deletion within a minute while Kafka is down', async () => {
  const stack = await startFaultStack({ logName: 'lost-events', replicas: { notify: 0, realtime: 0 } })
  try {
    const { ann, ben } = await friends(stack)
    await stack.engines.engine('kafka').kill('SIGSTOP')
    try {
      const { key, body } = await newKey(ben, await unlock(ben))
      await ben.client.ok(putIdentity, { body })
      await eventually(
        async () => expect(await other(ann)).toMatchObject({ keys: [{ epoch: 1, pub: key.pub }] }),
        withinAMinute,
      )
      await ben.client.ok(deletion, { body: { password: ben.password } })
      await eventually(async () => expect(await other(ann)).toMatchObject({ isGone: true }), withinAMinute)
    } finally {
      await stack.engines.engine('kafka').kill('SIGCONT')
    }
  } finally {
    await stack.stop()
  }
}, 240_000)
