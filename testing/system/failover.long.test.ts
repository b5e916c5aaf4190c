import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCutNetwork } from '../kit/faults/cut-network.ts'
import type { CutNetwork } from '../kit/faults/cut-network.ts'
import { expectFailover } from '../kit/faults/failover-run.ts'
import { startFailoverStack } from '../kit/faults/failover-stack.ts'
import type { FailoverStack } from '../kit/faults/failover-stack.ts'
import { adminPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'

const lastsMs = 30_000

let logDir: string
let network: CutNetwork
let stack: FailoverStack
let admin: Person
beforeAll(async () => {
  logDir = await mkdtemp(join(tmpdir(), 'sumlock-network-'))
  network = await createCutNetwork(logDir)
  stack = await startFailoverStack('failover-long', network.places)
  admin = await adminPerson(stack)
}, 240_000)
afterAll(async () => {
  await stack?.stop()
  await network?.close()
  if (logDir) await rm(logDir, { recursive: true, force: true })
}, 180_000)

const cuts = [
  ['cut off from everybody', 'cut'],
  ['cut off from the other two, while services reach it', 'isolate'],
  ['muted: what it is sent arrives, and nothing leaves it', 'mute'],
] as const

it.each(cuts)(
  'loses and doubles nothing acknowledged while the primary of three is %s, and locks and revocations hold',
  async (name, cut) => {
    const old = await stack.set.primary()
    await expectFailover(stack, admin, {
      name: `primary ${name}`,
      lastsMs,
      strike: async () => {
        await network[cut](old)
        await stack.set.elected(old)
      },
      heal: () => network.restore(old),
    })
  },
  400_000,
)

it('loses and doubles nothing acknowledged while the primary of three is killed, and locks and revocations hold', async () => {
  const old = await stack.set.primary()
  const primary = stack.set.members[old]!
  await expectFailover(stack, admin, {
    name: 'primary killed',
    lastsMs,
    strike: async () => {
      await primary.kill('SIGKILL')
      await stack.set.elected(old)
    },
    heal: () => primary.start(),
  })
}, 400_000)

it('loses and doubles nothing acknowledged while a broker that leads is cut off, and locks and revocations hold', async () => {
  const primary = await stack.set.primary()
  const leader = await stack.cluster.leaderOf(`${stack.namespace}.messaging.messages`)
  await expectFailover(stack, admin, {
    name: 'leader of Kafka cut off',
    lastsMs,
    // The member of MongoDB in the same place is cut off with it.
    strike: async () => {
      await network.cut(leader)
      if (leader === primary) await stack.set.elected(leader)
    },
    heal: () => network.restore(leader),
  })
}, 400_000)
