import { login } from '@sumlock/contracts/auth-routes'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { giftPremium } from '@sumlock/contracts/subscription-routes'
import { Client } from '@sumlock/deployment/api-client'
import { befriend, makePremium, unlockedPerson } from '../people.ts'
import type { Person } from '../people.ts'
import type { RunningStack } from '../shared-stack.ts'

/** Each kind of change is made once for a subject while the engines fail. */
export interface Subject {
  readonly person: Person
  /** The person has another unlocked session, which will be revoked. */
  readonly second: Client
  /** The writer will block this conversation. */
  readonly conversationId: string
  readonly upgradeCode: string
}

export interface FailoverPeople {
  readonly admin: Person
  /** The writer has premium, blocks the subjects, and writes to somebody else. */
  readonly writer: Person
  readonly conversationId: string
  readonly subjects: readonly Subject[]
}

/** Creates the people, conversations and gifts of a failover test before anything fails. */
export async function failoverPeople(
  stack: RunningStack,
  admin: Person,
  count: number,
): Promise<FailoverPeople> {
  const [writer, reader] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  await makePremium(admin, writer)
  const { id: conversationId } = await befriend(writer, reader)
  const subjects: Subject[] = []
  for (let index = 0; index < count; index += 1) {
    const person = await unlockedPerson(stack)
    const second = new Client(stack)
    await second.ok(login, { body: { username: person.username, password: person.password } })
    await second.ok(verifyNumericPassword, { body: { numericPassword: person.pin } })
    const { id } = await befriend(writer, person)
    const gift = await writer.client.ok(giftPremium, {
      body: { recipientEmail: `${person.username}@example.com` },
    })
    if (!('upgradeCode' in gift))
      throw new Error('The gift has no code: billing asked for a payment, which its sandbox never does.')
    subjects.push({ person, second, conversationId: id, upgradeCode: gift.upgradeCode })
  }
  const clients = [
    admin.client,
    writer.client,
    ...subjects.flatMap(({ person, second }) => [person.client, second]),
  ]
  for (const client of clients) client.keptToken = await client.csrfToken()
  return { admin, writer, conversationId, subjects }
}
