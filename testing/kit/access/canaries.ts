import type { DatabaseOwner } from '@sumlock/deployment/provision'
import { withDatabase } from '../database.ts'
import type { Cast } from './cast.ts'
import type { RunningStack } from '../shared-stack.ts'

/** Who hears: `nobody` may know anything of the owner. */
export type Ear = 'nobody' | 'friend' | 'ownerLocked' | 'ownerDiscreet' | 'ownerUnlocked'

/** What may be known of somebody, by field of what is stored. A field that is not named here is for nobody's ears. */
const account = ['users._id', 'users.username', 'users.usernameKey', 'users.userCode']
const profile = ['users.email', 'users.emailKey', 'users.phone', 'users.fullName']
const conversation = [
  ...['conversations._id', 'conversations.memberIds', 'messages.messageId', 'messages.conversationId'],
  ...['messages.senderId', 'messages.memberIds', 'messages.content', 'messages.clientMessageId'],
]
const mayKnow: Readonly<Record<Ear, ReadonlySet<string>>> = {
  nobody: new Set(),
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

/** Every text that is stored of the owner, in all databases; and the password, which must be stored nowhere. */
export async function ownersCanaries(
  stack: RunningStack,
  { owner, conversationId }: Pick<Cast, 'owner' | 'conversationId'>,
): Promise<Canary[]> {
  const { id: userId } = owner.user
  const places: [DatabaseOwner, string, Record<string, unknown>][] = [
    ['auth', 'users', { _id: userId }],
    ['auth', 'sessions', { userId }],
    ['auth', 'phone_verifications', { phone: owner.phone }],
    ['messaging', 'conversations', { _id: conversationId }],
    ['messaging', 'messages', { conversationId }],
    ['billing', 'grants', { userId }],
  ]
  const stored = await Promise.all(
    places.map(([database, name, filter]) =>
      withDatabase(stack, database, async (connection) => {
        const documents = await connection.collection(name).find(filter).toArray()
        return documents.flatMap((document) => textsIn(document, name))
      }),
    ),
  )
  const shownCode = { field: 'users.userCode', value: owner.user.userCode }
  return [...stored.flat(), shownCode, { field: 'users.password', value: owner.password }]
}

/** What of the owner stands in a text and is not for this ear. */
export function leaksIn(said: string, ear: Ear, canaries: readonly Canary[]): Canary[] {
  const allowed = mayKnow[ear]
  const known = new Set(canaries.filter(({ field }) => allowed.has(field)).map(({ value }) => value))
  return canaries.filter(({ value }) => !known.has(value) && said.includes(value))
}

/** Words every answer may hold (`text`, `admin`) and days are no canaries. */
const isTelling = (value: string) => value.length >= 6 && !/^\d{4}-\d\d-\d\d/.test(value)

function textsIn(document: object, collection: string): Canary[] {
  return Object.entries(document).flatMap(([name, value]: [string, unknown]) =>
    [value]
      .flat()
      .filter((text): text is string => typeof text === 'string' && isTelling(text))
      .map((text) => ({ field: `${collection}.${name}`, value: text })),
  )
}
