import { exampleValues } from '@sumlock/contracts/example-values'
import { databaseOwners } from '@sumlock/deployment/provision'
import { withDatabase } from '../database.ts'
import type { RunningStack } from '../shared-stack.ts'
import type { Actors } from './actors.ts'

/** The receiver of an answer; a `stranger` may get nothing about the owner. */
export type Receiver =
  'stranger' | 'admin' | 'blocked' | 'friend' | 'ownerLocked' | 'ownerDiscreet' | 'ownerUnlocked'

/** Stored fields that a receiver may get. Fields not listed here are secret. */
const account = ['users._id', 'users.username', 'users.usernameKey', 'users.userCode', 'people.userCode']
const profile = ['users.email', 'users.emailKey', 'users.phone', 'users.fullName', 'sessions._id']
/** Fields of the caller's own purchases; discreet mode hides why someone has premium. */
const purchases = ['payments._id', 'promo_code_redemptions._id']
const conversation = [
  'members.personId',
  'members.conversationId',
  'members.otherId',
  'messages.messageId',
  'messages.conversationId',
  'messages.senderId',
  'messages.memberIds',
  'messages.content',
  'messages.clientMessageId',
]
const mayKnow: Readonly<Record<Receiver, ReadonlySet<string>>> = {
  stranger: new Set(),
  /** The list of users, the reports (which name both people), and the acts of administrators. */
  admin: new Set([
    ...account,
    'users.email',
    'users.emailKey',
    'users.phone',
    'users.fullName',
    'members.personId',
    'members.conversationId',
    'members.otherId',
    'reports.note',
    'admin_actions._id',
  ]),
  blocked: new Set(account),
  friend: new Set([...account, ...conversation]),
  ownerDiscreet: new Set(['users._id', 'users.username', 'users.usernameKey', ...purchases]),
  ownerLocked: new Set([...account, ...profile, ...purchases, 'grants.source']),
  ownerUnlocked: new Set([
    ...[...account, ...profile, ...purchases, ...conversation],
    ...['grants.source', 'media._id'],
  ]),
}

export interface Canary {
  /** `collection.field` */
  field: string
  value: string
}

interface PersonalCollection {
  /** Selects the rows about the owner. */
  filter: (owner: Owner) => Record<string, unknown>
  /** Fields that reveal nothing about the owner. */
  otherFields?: readonly string[]
}

type Owner = Pick<Actors, 'conversationId'> & { userId: string; phone: string }

const eventsAboutOwner: PersonalCollection = {
  filter: ({ userId }) => ({ value: { $regex: userId } }),
  // An event about two people may have the id of the other one as its key.
  otherFields: ['topic', 'type', 'key'],
}

/** Names several people, whose ids are searched for elsewhere. */
const actsAboutOwner: PersonalCollection = {
  filter: ({ userId }) => ({ personIds: userId }),
  otherFields: ['adminId', 'personIds', 'action'],
}

/** Every collection of every database; null for one without personal data. */
const collections: Readonly<Record<string, PersonalCollection | null>> = {
  'auth.users': { filter: ({ userId }) => ({ _id: userId }) },
  // Half of all people have the same device.
  'auth.sessions': { filter: ({ userId }) => ({ userId }), otherFields: ['device', 'addressFamily'] },
  'auth.phone_verifications': { filter: ({ phone }) => ({ phone }) },
  'auth.mail_links': { filter: ({ userId }) => ({ userId }) },
  'auth.mail_requests': { filter: ({ userId }) => ({ userId }) },
  // Codes that belong to no account.
  'auth.retired_codes': null,
  'auth.purged_ids': { filter: ({ userId }) => ({ _id: userId }) },
  'auth.phone_code_limits': { filter: ({ phone }) => ({ _id: phone }) },
  'auth.unlock_budgets': { filter: ({ userId }) => ({ _id: userId }) },
  // The ids are hashes of usernames; no answer may hold any of them.
  'auth.sign_in_attempts': { filter: () => ({}) },
  'auth.admin_actions': actsAboutOwner,
  // The examples of all callers have the same box.
  'auth.known_keys': { filter: ({ userId }) => ({ userId, box: { $ne: exampleValues.knownKeyBox } }) },
  'auth.outbox': eventsAboutOwner,
  'auth.leases': null,
  'auth._migrations': null,
  'messaging.members': { filter: ({ userId, conversationId }) => ({ personId: userId, conversationId }) },
  'messaging.messages': { filter: ({ conversationId }) => ({ conversationId }) },
  // The row names a message, whose fields are searched for above.
  'messaging.slots': {
    filter: ({ userId }) => ({ _id: { $regex: `^${userId}` } }),
    otherFields: ['conversationId', 'clientMessageId'],
  },
  'messaging.people': { filter: ({ userId }) => ({ _id: userId }) },
  'messaging.entitlements': { filter: ({ userId }) => ({ _id: userId }) },
  // This is the id of the owner's friend and not of the owner.
  'messaging.reports': {
    filter: ({ userId }) => ({ reporterId: userId }),
    otherFields: ['reportedId'],
  },
  'messaging.admin_actions': actsAboutOwner,
  'messaging.media': { filter: ({ userId }) => ({ ownerId: userId }), otherFields: ['status'] },
  'messaging.mediaUsage': { filter: ({ userId }) => ({ _id: userId }) },
  'messaging.outbox': eventsAboutOwner,
  // Ids of events.
  'messaging.inbox': null,
  // Until a job ends, it names a person or a conversation, whose ids are searched for above.
  'messaging.jobs': null,
  'messaging.leases': null,
  // Dates.
  'messaging.cursors': null,
  'messaging._migrations': null,
  'billing.grants': { filter: ({ userId }) => ({ userId }) },
  'billing.admin_actions': actsAboutOwner,
  'billing.accounts': { filter: ({ userId }) => ({ _id: userId }) },
  'billing.payments': { filter: ({ userId }) => ({ userId }), otherFields: ['provider', 'status', 'kind'] },
  'billing.subscription_gifts': {
    filter: ({ userId }) => ({ buyerId: userId }),
    // The examples of all callers have the same recipient, and the same promo code below.
    otherFields: ['status', 'recipientEmail'],
  },
  'billing.mobile_subscriptions': { filter: ({ userId }) => ({ userId }) },
  'billing.promo_code_redemptions': {
    filter: ({ userId }) => ({ userId }),
    otherFields: ['platform', 'status', 'promoCode'],
  },
  // Hashes of people and addresses, by the hour.
  'billing.redeem_tries': null,
  // Ids of the stores.
  'billing.store_notifications': null,
  'billing.outbox': eventsAboutOwner,
  // Ids of events.
  'billing.inbox': null,
  // Until a job ends, it names a person, whose id is searched for above.
  'billing.jobs': null,
  'billing.leases': null,
  'billing._migrations': null,
  // A sealed delivery does not name its receiver: search for all of them.
  'notify.deliveries': { filter: () => ({}), otherFields: ['channel', 'state', 'lastError'] },
  'notify.preferences': { filter: ({ userId }) => ({ _id: userId }) },
  // Ids of events.
  'notify.inbox': null,
  'notify.outbox': eventsAboutOwner,
  'notify.leases': null,
  'notify._migrations': null,
}

/** Every text stored about the owner, in all databases, and the password, which must not be stored at all. */
export async function ownersCanaries(
  stack: RunningStack,
  { owner, conversationId }: Pick<Actors, 'owner' | 'conversationId'>,
): Promise<Canary[]> {
  const subject = { userId: owner.user.id, phone: owner.phone, conversationId }
  const found: Canary[] = [
    { field: 'users.userCode', value: owner.user.userCode },
    { field: 'users.password', value: owner.password },
  ]
  for (const database of databaseOwners)
    await withDatabase(stack, database, async (connection) => {
      for (const { name } of await connection.listCollections()) {
        const row = collections[`${database}.${name}`]
        if (row === undefined)
          throw new Error(
            `${database}.${name} is not in the table of collections that are searched for leaks.`,
          )
        if (row === null) continue
        for (const document of await connection.collection(name).find(row.filter(subject)).toArray())
          found.push(...textsIn(document, name, row.otherFields))
      }
    })
  return found
}

/** Returns the canaries in a text that this receiver may not get. */
export function leaksIn(text: string, receiver: Receiver, canaries: readonly Canary[]): Canary[] {
  const allowed = mayKnow[receiver]
  const known = new Set(canaries.filter(({ field }) => allowed.has(field)).map(({ value }) => value))
  return canaries.filter(({ value }) => !known.has(value) && text.includes(value))
}

/** Short words (`text`, `admin`) and dates occur in any answer. */
const isTelling = (value: string) => value.length >= 6 && !/^\d{4}-\d\d-\d\d/.test(value)

function textsIn(document: object, collection: string, otherFields: readonly string[] = []): Canary[] {
  return Object.entries(document)
    .filter(([name]) => !otherFields.includes(name))
    .flatMap(([name, value]: [string, unknown]) =>
      [value].flat().map((text) => ({ field: `${collection}.${name}`, value: text })),
    )
    .filter((canary): canary is Canary => typeof canary.value === 'string' && isTelling(canary.value))
}
