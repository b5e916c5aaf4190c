import { readFile } from 'node:fs/promises'
import { requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServiceName } from '@sumlock/deployment/service-environment'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '../kit/engines.ts'
import { adminPerson, befriend, registerPerson, unlock, unlockedPerson } from '../kit/people.ts'
import { eventually } from '../kit/wait.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startTestStack({ logLevel: 'debug' })
})
afterAll(() => stack.stop())

interface Line {
  msg: string
  requestId?: string
  type?: string
  route?: string
}

/** What a service logged for one request: the route it answered, or the event it handled. */
async function logged(service: ServiceName, requestId: string): Promise<string[]> {
  const text = await readFile(stack.service(service).logFile, 'utf8')
  const lines = text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
  return lines
    .filter((line) => line.requestId === requestId)
    .map(({ msg, type, route }) => type ?? route ?? msg)
}

const idOf = (headers: Headers) => headers.get('x-request-id') as string

it('goes with a grant through the gateway, auth, billing and Kafka to messaging and realtime', async () => {
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
    expect(await logged('messaging', idOf(headers))).toEqual(['billing.subscription-activated.v1'])
    expect(await logged('realtime', idOf(headers))).toEqual(['messaging.limits-changed.v1'])
  })
})

it('goes with a message to realtime, by the hint and by Kafka', async () => {
  const [ann, bob] = [await unlockedPerson(stack), await unlockedPerson(stack)]
  const { id: conversationId } = await befriend(ann, bob)
  await unlock(ann)
  const body = { conversationId, messageType: 'text', content: 'hello' } as const
  const { headers, status } = await ann.client.call(sendMessage, { body })
  expect(status).toBe(201)
  await eventually(async () => {
    expect(await logged('gateway', idOf(headers))).toEqual([sendMessage.path])
    expect(await logged('auth', idOf(headers))).toEqual(['/internal/session-token'])
    expect(await logged('messaging', idOf(headers))).toEqual([sendMessage.path])
    expect(await logged('realtime', idOf(headers))).toEqual([
      'emitted a message',
      'messaging.message-sent.v1',
    ])
  })
})

it('goes with a code to notify', async () => {
  const { client } = await registerPerson(stack)
  const { headers } = await client.call(requestPhoneCode, { body: { phone: '+15550001122' } })
  await eventually(async () => {
    expect(await logged('auth', idOf(headers))).toEqual([requestPhoneCode.path])
    expect(await logged('notify', idOf(headers))).toEqual(['auth.notice-requested.v1'])
  })
})
