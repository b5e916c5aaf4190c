import { login } from '@sumlock/contracts/auth-routes'
import { verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { giftPremium } from '@sumlock/contracts/subscription-routes'
import { Client } from '@sumlock/deployment/api-client'
import { befriend, makePremium, unlockedPerson } from '../people.ts'
import type { Person } from '../people.ts'
import type { RunningStack } from '../shared-stack.ts'

/** A person who experiences each kind of change once while the engines fail. */
export interface Subject {
  readonly person: Person
  /** Another unlocked session of the person. */
  readonly second: Client
  /** The conversation with the person who blocks it. */
  readonly conversationId: string
  readonly upgradeCode: string
}

export interface FailoverPeople {
  readonly admin: Person
  /** A person with premium who blocks the subjects and writes to somebody else. */
  readonly writer: Person
  readonly conversationId: string
  readonly subjects: readonly Subject[]
}

/** Data that needs a working database, made before it fails. */
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
    if (!('upgradeCode' in gift)) throw new Error('The sandbox asks for no payment.')
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
