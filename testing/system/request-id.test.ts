import { readFile } from 'node:fs/promises'
import { requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningService, RunningStack } from '../kit/shared-stack.ts'
import { adminPerson, befriend, registerPerson, unlock, unlockedPerson } from '../kit/people.ts'
import { connect, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

interface Line {
  msg: string
  requestId?: string
  type?: string
  route?: string
}

const replicasOf = (name: ServiceName) => stack.services.filter(({ service }) => service === name)

/** Returns the log lines of an instance for one request: the answered route or the handled event. */
async function loggedBy({ logFile }: RunningService, requestId: string): Promise<string[]> {
  const text = await readFile(logFile, 'utf8')
  return text
    .split('\n')
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.requestId === requestId)
    .map(({ msg, type, route }) => type ?? route ?? msg)
}

/** Does the same for all replicas of a service, because any of them may answer a request or handle an event. */
const logged = async (service: ServiceName, requestId: string): Promise<string[]> =>
  (await Promise.all(replicasOf(service).map((instance) => loggedBy(instance, requestId)))).flat()
/** Does it without repetitions, because Kafka may deliver an event twice. */
const handled = async (service: ServiceName, requestId: string): Promise<string[]> => [
  ...new Set(await logged(service, requestId)),
]

const idOf = (headers: Headers) => headers.get('x-request-id') as string

it('passes the request id of a grant through the gateway, auth, billing and Kafka to messaging', async () => {
  const admin = await adminPerson(stack)
  const person = await registerPerson(stack)
  const { headers, status } = await admin.client.call(grantPremium, {
    body: { userId: person.user.id, days: 1 },
  })
  expect(status).toBeLessThan(300)
  await eventually(async () => {
    expect(await logged('gateway', idOf(headers))).toContain(grantPremium.path)
    expect(await logged('auth', idOf(headers))).toContain('/internal/people')
    expect(await logged('billing', idOf(headers))).toContain(grantPremium.path)
    expect(await handled('messaging', idOf(headers))).toEqual(['billing.subscription-activated.v1'])
  })
})

it('passes the request id of a message to realtime by its hints', async () => {
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id: conversationId } = await befriend(ann, bob)
  await unlock(ann)
  const live = connect(bob)
  await nextState(live, ({ connected }) => connected)
  const body = { conversationId, messageType: 'text', content: 'hello' } as const
  const { headers, status } = await ann.client.call(sendMessage, { body })
  expect(status).toBe(201)
  await eventually(async () => {
    expect(await logged('gateway', idOf(headers))).toEqual([sendMessage.path])
    expect(await logged('auth', idOf(headers))).toEqual(['/internal/session-token'])
    expect(await logged('messaging', idOf(headers))).toEqual([sendMessage.path])
    // An event of Kafka follows a hint that Redis answers late.
    expect(await logged('realtime', idOf(headers))).toContain('new_message')
  })
  live.close()
})

it('passes the request id of a phone code to notify', async () => {
  const { client } = await registerPerson(stack)
  const { headers } = await client.call(requestPhoneCode, { body: { phone: '+15550001122' } })
  await eventually(async () => {
    expect(await logged('auth', idOf(headers))).toEqual([requestPhoneCode.path])
    expect(await handled('notify', idOf(headers))).toEqual(['auth.notice-requested.v1'])
  })
})
