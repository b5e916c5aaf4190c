import { exampleValues } from '@sumlock/contracts/example-values'
import { databaseOwners } from '@sumlock/deployment/provision'
import { withDatabase } from '../database.ts'
import type { RunningStack } from '../shared-stack.ts'
import type { Actors } from './actors.ts'

/** An answer goes to one of these receivers; a `stranger` may get nothing about the owner. */
export type Receiver =
  'stranger' | 'admin' | 'blocked' | 'friend' | 'ownerLocked' | 'ownerDiscreet' | 'ownerUnlocked'

/** A receiver may get the stored fields in these lists. All other fields are secret. */
const account = ['users._id', 'users.username', 'users.usernameKey', 'users.userCode', 'people.userCode']
const profile = ['users.email', 'users.emailKey', 'users.phone', 'users.fullName', 'sessions._id']
/**
 * The owner may get the ids of the owner's purchases even in discreet mode, but not `grants.source`, which says why the
 * owner has premium.
 */
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
  /**
   * Administrators may read the list of users, the reports (which name both people), and the record of what
   * administrators did.
   */
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
    ...['grants.source', 'media._id', 'members.nickname'],
  ]),
}

export interface Canary {
  /** The field has the form `collection.field`. */
  field: string
  value: string
}

interface PersonalCollection {
  /** Selects the rows about the owner. */
  filter: (owner: Owner) => Record<string, unknown>
  /** These fields reveal nothing about the owner, so they are not searched for. */
  otherFields?: readonly string[]
}

type Owner = Pick<Actors, 'conversationId'> & { userId: string; phone: string }

const eventsAboutOwner: PersonalCollection = {
  filter: ({ userId }) => ({ value: { $regex: userId } }),
  // An event about two people may have the id of the other one as its key.
  otherFields: ['topic', 'type', 'key'],
}

/**
 * A record of what an administrator did names several people, whose ids are searched for as canaries of other
 * collections.
 */
const actsAboutOwner: PersonalCollection = {
  filter: ({ userId }) => ({ personIds: userId }),
  otherFields: ['adminId', 'personIds', 'action'],
}

/** This table must list every collection of every database. Null marks a collection without personal data. */
const collections: Readonly<Record<string, PersonalCollection | null>> = {
  'auth.users': { filter: ({ userId }) => ({ _id: userId }) },
  // Many people have the same device and kind of address, so these fields reveal nobody.
  'auth.sessions': { filter: ({ userId }) => ({ userId }), otherFields: ['device', 'addressFamily'] },
  'auth.phone_verifications': { filter: ({ phone }) => ({ phone }) },
  'auth.mail_links': { filter: ({ userId }) => ({ userId }) },
  'auth.mail_requests': { filter: ({ userId }) => ({ userId }) },
  // Retired codes belong to no account.
  'auth.retired_codes': null,
  'auth.purged_ids': { filter: ({ userId }) => ({ _id: userId }) },
  'auth.phone_code_limits': { filter: ({ phone }) => ({ _id: phone }) },
  'auth.unlock_budgets': { filter: ({ userId }) => ({ _id: userId }) },
  // The ids are hashes of usernames, and no answer may contain any of them.
  'auth.sign_in_attempts': { filter: () => ({}) },
  'auth.admin_actions': actsAboutOwner,
  // The example calls of all sessions store the same box, so finding this box reveals nothing.
  'auth.known_keys': { filter: ({ userId }) => ({ userId, box: { $ne: exampleValues.knownKeyBox } }) },
  'auth.outbox': eventsAboutOwner,
  'auth.leases': null,
  'auth._migrations': null,
  'messaging.members': { filter: ({ userId, conversationId }) => ({ personId: userId, conversationId }) },
  'messaging.messages': { filter: ({ conversationId }) => ({ conversationId }) },
  // A slot names a message, whose fields are searched for as canaries of `messages`.
  'messaging.slots': {
    filter: ({ userId }) => ({ _id: { $regex: `^${userId}` } }),
    otherFields: ['conversationId', 'clientMessageId'],
  },
  'messaging.actCounts': { filter: ({ userId }) => ({ _id: { $regex: `^${userId}` } }) },
  'messaging.people': { filter: ({ userId }) => ({ _id: userId }) },
  'messaging.entitlements': { filter: ({ userId }) => ({ _id: userId }) },
  // `reportedId` is the id of the friend whom the owner has reported.
  'messaging.reports': {
    filter: ({ userId }) => ({ reporterId: userId }),
    otherFields: ['reportedId'],
  },
  'messaging.admin_actions': actsAboutOwner,
  'messaging.media': { filter: ({ userId }) => ({ ownerId: userId }), otherFields: ['status'] },
  'messaging.mediaUsage': { filter: ({ userId }) => ({ _id: userId }) },
  'messaging.outbox': eventsAboutOwner,
  // The inbox contains only ids of events.
  'messaging.inbox': null,
  // A running job names a person or a conversation, whose ids are searched for as canaries of other collections.
  'messaging.jobs': null,
  'messaging.leases': null,
  // Cursors are only dates.
  'messaging.cursors': null,
  'messaging._migrations': null,
  'billing.grants': { filter: ({ userId }) => ({ userId }) },
  'billing.admin_actions': actsAboutOwner,
  'billing.accounts': { filter: ({ userId }) => ({ _id: userId }) },
  'billing.payments': { filter: ({ userId }) => ({ userId }), otherFields: ['provider', 'status', 'kind'] },
  'billing.subscription_gifts': {
    filter: ({ userId }) => ({ buyerId: userId }),
    // The example calls of all sessions name the same recipient here, and the same promo code below.
    otherFields: ['status', 'recipientEmail'],
  },
  'billing.mobile_subscriptions': { filter: ({ userId }) => ({ userId }) },
  'billing.promo_code_redemptions': {
    filter: ({ userId }) => ({ userId }),
    otherFields: ['platform', 'status', 'promoCode'],
  },
  // The rows contain only hashes of people and addresses.
  'billing.redeem_tries': null,
  // The rows contain only ids that a store gave to its notifications.
  'billing.store_notifications': null,
  'billing.outbox': eventsAboutOwner,
  // The inbox contains only ids of events.
  'billing.inbox': null,
  // A running job names a person, whose id is searched for as a canary of other collections.
  'billing.jobs': null,
  'billing.leases': null,
  'billing._migrations': null,
  // A sealed delivery does not name its receiver, so all deliveries are searched for.
  'notify.deliveries': { filter: () => ({}), otherFields: ['channel', 'state', 'lastError'] },
  'notify.preferences': { filter: ({ userId }) => ({ _id: userId }) },
  // The inbox contains only ids of events.
  'notify.inbox': null,
  'notify.outbox': eventsAboutOwner,
  'notify.leases': null,
  'notify._migrations': null,
}

/**
 * Collects every text that is stored about the owner in all databases, and the password, which must not be stored at
 * all.
 */
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

/** Returns those canaries in a text that its receiver may not get. */
export function leaksIn(text: string, receiver: Receiver, canaries: readonly Canary[]): Canary[] {
  const allowed = mayKnow[receiver]
  const known = new Set(canaries.filter(({ field }) => allowed.has(field)).map(({ value }) => value))
  return canaries.filter(({ value }) => !known.has(value) && text.includes(value))
}

/**
 * Returns whether a text can reveal something. Short words such as `text` or `admin`, and dates, occur in any answer.
 */
const isTelling = (value: string) => value.length >= 6 && !/^\d{4}-\d\d-\d\d/.test(value)

function textsIn(document: object, collection: string, otherFields: readonly string[] = []): Canary[] {
  return Object.entries(document)
    .filter(([name]) => !otherFields.includes(name))
    .flatMap(([name, value]: [string, unknown]) =>
      [value].flat().map((text) => ({ field: `${collection}.${name}`, value: text })),
    )
    .filter((canary): canary is Canary => typeof canary.value === 'string' && isTelling(canary.value))
}
