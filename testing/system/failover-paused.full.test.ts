import { expectFailover } from '../kit/faults/failover-run.ts'
import { startFailoverStack } from '../kit/faults/failover-stack.ts'
import type { FailoverStack } from '../kit/faults/failover-stack.ts'
import { localPlaces } from '../kit/faults/places.ts'
import { adminPerson } from '../kit/people.ts'

let stack: FailoverStack
beforeAll(async () => {
  stack = await startFailoverStack('failover', await localPlaces())
}, 180_000)
afterAll(() => stack?.stop(), 120_000)

it('loses and doubles nothing acknowledged while the primary of three is paused for 20 s, and locks and revocations hold', async () => {
  const old = await stack.set.primary()
  const primary = stack.set.members[old]!
  await expectFailover(stack, await adminPerson(stack), {
    name: 'primary paused for 20 s',
    lastsMs: 20_000,
    strike: async () => {
      await primary.kill('SIGSTOP')
      await stack.set.elected(old)
    },
    heal: () => primary.kill('SIGCONT'),
  })
}, 400_000)
