import type { DatabaseOwner } from '@sumlock/deployment/provision'
import { withDatabase } from '../database.ts'
import type { RunningStack } from '../shared-stack.ts'
import type { Actors } from './actors.ts'

/** The receiver of an answer; a `stranger` may learn nothing of the owner. */
export type Receiver = 'stranger' | 'friend' | 'ownerLocked' | 'ownerDiscreet' | 'ownerUnlocked'

/** Stored fields that a receiver may learn. Fields not listed here are secret. */
const account = ['users._id', 'users.username', 'users.usernameKey', 'users.userCode']
const profile = ['users.email', 'users.emailKey', 'users.phone', 'users.fullName']
const conversation = [
  'conversations._id',
  'conversations.memberIds',
  'messages.messageId',
  'messages.conversationId',
  'messages.senderId',
  'messages.memberIds',
  'messages.content',
  'messages.clientMessageId',
]
const mayKnow: Readonly<Record<Receiver, ReadonlySet<string>>> = {
  stranger: new Set(),
  friend: new Set([...account, ...conversation]),
  ownerDiscreet: new Set(['users._id', 'users.username', 'users.usernameKey']),
  ownerLocked: new Set([...account, ...profile]),
  ownerUnlocked: new Set([...account, ...profile, ...conversation]),
}

export interface Canary {
  /** `collection.field` */
  field: string
  value: string
}

/** Every text stored about the owner, in all databases, and the password, which must not be stored at all. */
export async function ownersCanaries(
  stack: RunningStack,
  { owner, conversationId }: Pick<Actors, 'owner' | 'conversationId'>,
): Promise<Canary[]> {
  const { id: userId } = owner.user
  const sources: [DatabaseOwner, string, Record<string, unknown>][] = [
    ['auth', 'users', { _id: userId }],
    ['auth', 'sessions', { userId }],
    ['auth', 'phone_verifications', { phone: owner.phone }],
    ['messaging', 'conversations', { _id: conversationId }],
    ['messaging', 'messages', { conversationId }],
    ['billing', 'grants', { userId }],
  ]
  const stored = await Promise.all(
    sources.map(([database, name, filter]) =>
      withDatabase(stack, database, async (connection) => {
        const documents = await connection.collection(name).find(filter).toArray()
        return documents.flatMap((document) => textsIn(document, name))
      }),
    ),
  )
  const shownCode = { field: 'users.userCode', value: owner.user.userCode }
  return [...stored.flat(), shownCode, { field: 'users.password', value: owner.password }]
}

/** The canaries in a text that this receiver may not learn. */
export function leaksIn(text: string, receiver: Receiver, canaries: readonly Canary[]): Canary[] {
  const allowed = mayKnow[receiver]
  const known = new Set(canaries.filter(({ field }) => allowed.has(field)).map(({ value }) => value))
  return canaries.filter(({ value }) => !known.has(value) && text.includes(value))
}

/** Short words (`text`, `admin`) and dates occur in any answer. */
const isTelling = (value: string) => value.length >= 6 && !/^\d{4}-\d\d-\d\d/.test(value)

function textsIn(document: object, collection: string): Canary[] {
  return Object.entries(document).flatMap(([name, value]: [string, unknown]) =>
    [value]
      .flat()
      .filter((text): text is string => typeof text === 'string' && isTelling(text))
      .map((text) => ({ field: `${collection}.${name}`, value: text })),
  )
}
