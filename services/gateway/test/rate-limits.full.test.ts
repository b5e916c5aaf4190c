import { login } from '@sumlock/contracts/auth-routes'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { sendMessage, startConversation } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { Client } from '@sumlock/deployment/api-client'
import { startTestStack } from '@sumlock/testing/engines'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import { scrape, sumOf } from '@sumlock/testing/scrape'

let stack: Stack
let gateways: { gatewayUrl: string; origin: string }[]
beforeAll(async () => {
  stack = await startTestStack({
    replicas: { gateway: 2, billing: 0, notify: 0, realtime: 0 },
    env: { gateway: { RATE_LIMITS: 'on' } },
  })
  gateways = [0, 1].map((index) => ({
    gatewayUrl: stack.service('gateway', index).publicUrl,
    origin: stack.gatewayUrl,
  }))
})
afterAll(() => stack.stop())

const statuses = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length

it('counts sign-ins from one address in all gateways together', async () => {
  const answers = await Promise.all(
    gateways.map(async (gateway, index) => {
      const client = new Client(gateway)
      const sent = []
      for (let number = 0; number < 20; number += 1) {
        // Auth would pause one name after several wrong passwords.
        const body = { username: `no-one-${index}-${number}`, password: 'wrong horse' }
        sent.push(await client.call(login, { body }))
      }
      return sent
    }),
  )
  expect(statuses(answers.flat(), 403)).toBe(30)
  expect(statuses(answers.flat(), 429)).toBe(10)
})

it('lets a person try twenty unknown user codes in all gateways together, and refuses known codes after that', async () => {
  const [ann, bob, cem] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
  ])
  const clients = gateways.map((gateway) => {
    const client = new Client(gateway)
    for (const [name, value] of ann.client.cookies) client.cookies.set(name, value)
    return client
  })
  const tryMany = async (userCode: string, times: number) => {
    const each = clients.map((client) =>
      Promise.all(
        Array.from({ length: times }, () => client.call(startConversation, { body: { userCode } })),
      ),
    )
    return (await Promise.all(each)).flat()
  }
  // Valid codes are never counted.
  const known = await tryMany(bob.user.userCode, 8)
  expect(statuses(known, 200) + statuses(known, 201)).toBe(16)
  const unknown = await tryMany('ABCD-EFGH-7', 15)
  expect(statuses(unknown, 404)).toBe(20)
  expect(statuses(unknown, 429)).toBe(10)
  expect(statuses(await tryMany(cem.user.userCode, 1), 429)).toBe(2)
})

it('lets a person send sixty messages at once through a gateway, and says when the next may be sent', async () => {
  const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const conversation = await befriend(ann, bob)
  const [gateway] = gateways
  const client = new Client(gateway!)
  for (const [name, value] of ann.client.cookies) client.cookies.set(name, value)
  client.keptToken = await client.csrfToken()
  const body = { conversationId: conversation.id, content: 'Hello' }
  const answers = await Promise.all(Array.from({ length: 70 }, () => client.call(sendMessage, { body })))
  // Messaging refuses a free person's second message, but it counts as sent.
  expect(statuses(answers, 201) + statuses(answers, 402)).toBe(60)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  for (const { headers, body: told } of refused) {
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(10)
    expect(told).toMatchObject({ error: expect.stringContaining(` in ${seconds} second`) })
  }
})

it('answers too many PIN entries like a wrong one, in body and headers', async () => {
  const ann = await unlockedPerson(stack)
  const csrf = await ann.client.csrfToken()
  const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf }
  const body = JSON.stringify({ numericPassword: '999999', intent: 'probe' })
  const refusedBefore = await refusedTooOften()
  const enter = () => ann.client.raw('POST', verifyNumericPassword.path, { headers, body })
  const answers: Response[] = []
  while (answers.length < 140) answers.push(...(await Promise.all(Array.from({ length: 35 }, enter))))
  expect(await refusedTooOften()).toBeGreaterThan(refusedBefore)
  const told = await Promise.all(
    answers.map(async (answer) => {
      const { status, headers } = answer
      const { requestId, ...rest } = JSON.parse(await answer.text()) as Record<string, unknown>
      expect(requestId).toBe(headers.get('x-request-id'))
      return JSON.stringify({ status, names: [...headers.keys()].sort(), rest })
    }),
  )
  expect([...new Set(told)]).toEqual([told[0]])
  expect(told[0]).toContain('"wrong_pin"')
  expect(told[0]).not.toContain('retry-after')
})

const refusedTooOften = async () =>
  sumOf(await scrape(stack.service('gateway')), 'admission_refusals_total', { reason: 'too-often' })
