import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { changeFullName } from '@sumlock/contracts/account-routes'
import { endOtherSessions, login } from '@sumlock/contracts/auth-routes'
import { lock, verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { securityEvents } from '@sumlock/service-kit/security-events'
import type { SecurityEvent } from '@sumlock/service-kit/security-events'
import { unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { eventually } from '../kit/wait.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

interface Line {
  event: SecurityEvent
  account?: string
}

/**
 * Returns the events that a service logged about a person. The lines contain the account under the service's own key.
 */
async function eventsOf({ user }: Person, service: 'auth' | 'gateway'): Promise<string[]> {
  const { codePepper, csrfSecret } = stack.secrets
  const key = service === 'auth' ? Buffer.from(codePepper, 'hex') : csrfSecret
  const account = createHmac('sha256', key)
    .update(`security-events:${user.id}`)
    .digest('base64url')
    .slice(0, 22)
  const logs = stack.services.filter((one) => one.service === service).map(({ logFile }) => logFile)
  const lines = await Promise.all([...new Set(logs)].map((file) => readFile(file, 'utf8')))
  return lines
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes('"security event"') && line.includes(account))
    .map((line) => {
      expect(line).not.toContain(user.id)
      expect(line).not.toContain(user.username)
      return (JSON.parse(line) as Line).event
    })
}

it('each security event of a person is a line that names the person by a keyed hash only', async () => {
  const ann = await unlockedPerson(stack)
  const { client, username, password } = ann
  const elsewhere = new Client(stack)
  await elsewhere.call(login, { body: { username, password: 'not it' } })
  await elsewhere.ok(login, { body: { username, password } })
  await elsewhere.call(verifyNumericPassword, { body: { numericPassword: '99999' } })
  await client.ok(changeFullName, { body: { password, fullName: 'Ann' } })
  await client.ok(endOtherSessions, { body: { password } })
  await client.ok(lock)
  await client.call(listConversations)
  await client.call(changeFullName, { body: { password, fullName: 'Ann' } })
  await client.call(grantPremium, { body: { userId: ann.user.id, days: 1 } })
  client.keptToken = 'of another page'
  await client.call(lock)

  await eventually(async () => {
    const [auth, gateway] = [await eventsOf(ann, 'auth'), await eventsOf(ann, 'gateway')]
    const expected: SecurityEvent[] = [
      'unlocked',
      'wrong-password',
      'signed-in',
      'wrong-number',
      'stepped-up',
    ]
    expect(auth).toEqual(expect.arrayContaining([...expected, 'session-revoked']))
    expect(gateway).toEqual(expect.arrayContaining(['access-refused', 'csrf-refused']))
    expect(
      [...auth, ...gateway].filter((event) => !(securityEvents as readonly string[]).includes(event)),
    ).toEqual([])
  })
})
