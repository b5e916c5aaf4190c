import { z } from 'zod'
import { activity } from './admin-routes.ts'
import { limits } from './limits.ts'
import { id, timestamp } from './primitives.ts'
import { defineInternalRoute } from './route.ts'
import { publicKey } from './sealed.ts'
import { tokenAudiences } from './token.ts'
import { entitlementView, quotaView } from './user.ts'

/** The cursor is a number of milliseconds since 1970 by the clock of auth's database. */
const cursor = z.string().regex(/^\d{1,15}$/)

export const exchangeSession = defineInternalRoute({
  method: 'POST',
  path: '/internal/session-token',
  service: 'auth',
  callers: ['gateway', 'realtime'],
  summary:
    'Exchanges the opaque cookie value for short-lived ES256 JWTs (phantom tokens), one for each service that verifies them. Realtime gets none.',
  body: z.strictObject({ cookie: z.string().min(1).max(256) }),
  responses: {
    200: z.object({
      /** Realtime gets no tokens, because it calls no route of a person. */
      tokens: z.record(z.enum(tokenAudiences), z.string()).optional(),
      sid: id,
      userId: id,
      unlockedUntil: timestamp.nullable(),
      isAdmin: z.boolean(),
      passwordGivenAt: timestamp,
      expiresAt: timestamp,
    }),
  },
})

export const getSessionChanges = defineInternalRoute({
  method: 'GET',
  path: '/internal/sessions/changed',
  service: 'auth',
  callers: ['gateway', 'realtime'],
  summary:
    'Sessions that were locked or revoked, or whose role changed, since an earlier answer. Contains every change acknowledged before the request, and repeats the changes of half a minute before that answer.',
  query: z.strictObject({
    since: cursor.optional().describe('The cursor of the previous answer.'),
  }),
  responses: {
    200: z.object({
      cursor,
      changed: z.array(
        z.object({
          sid: id,
          changedAtMs: z.number().int().describe('Identifies the change together with `sid`.'),
        }),
      ),
      reset: z.boolean().describe('There is no list, or it would be too long: drop everything cached.'),
    }),
  },
})

export const person = z.object({
  userId: id,
  keys: z
    .array(publicKey)
    .optional()
    .describe('All public keys, ascending by epoch; absent before the first.'),
  username: z.string(),
  userCode: z.string(),
  version: z.number().int().describe('Increases with every change; a projection keeps the highest.'),
  isLeaving: z
    .boolean()
    .optional()
    .describe('True while the account is scheduled for deletion, false once it was kept; absent before.'),
})

export const findPerson = defineInternalRoute({
  method: 'GET',
  path: '/internal/people',
  service: 'auth',
  callers: ['messaging', 'billing'],
  summary: 'One person by userCode or by id; null when there is none.',
  query: z.strictObject({ userCode: z.string().optional(), userId: id.optional() }),
  responses: { 200: z.object({ person: person.nullable() }) },
})

/** A page of changes with fewer entries than this is the last one. */
export const changesPerPage = 200

export const listPersonChanges = defineInternalRoute({
  method: 'GET',
  path: '/internal/person-changes',
  service: 'auth',
  callers: ['messaging'],
  summary:
    'People who registered or changed since a time, oldest change first, at most 200. A projection of people comes from it. A change may become visible after a later one.',
  query: z.strictObject({ since: timestamp }),
  responses: {
    200: z.array(z.object({ person, changedAt: timestamp.describe('By the clock of auth’s database.') })),
  },
})

/** Besides auth, these services store data about people. */
export const purgeOwners = ['messaging', 'billing', 'notify'] as const
export type PurgeOwner = (typeof purgeOwners)[number]

export const getPurge = defineInternalRoute({
  method: 'GET',
  path: '/internal/purges/:userId',
  service: 'auth',
  callers: purgeOwners,
  summary:
    'Whether a person was deleted for good, so that all services have to erase what they store about the person. Asked before anything is erased.',
  params: z.object({ userId: id }),
  responses: {
    200: z.object({
      isDue: z.boolean(),
      isRepeated: z
        .boolean()
        .describe('It was requested again: a day or more after the account was removed.'),
    }),
  },
})

export const acknowledgePurge = defineInternalRoute({
  method: 'POST',
  path: '/internal/purges/:userId/acknowledgement',
  service: 'auth',
  callers: purgeOwners,
  summary: 'The calling service has erased what it stored about a person.',
  params: z.object({ userId: id }),
  responses: { 200: z.object({ ok: z.literal(true) }) },
})

const people = z.strictObject({ userIds: z.array(id).max(limits.listedUsersMax) })

export const getUsernames = defineInternalRoute({
  method: 'POST',
  path: '/internal/usernames',
  service: 'auth',
  callers: ['billing'],
  summary: 'The usernames of people, without those who are gone.',
  body: people,
  responses: { 200: z.array(z.object({ userId: id, username: z.string() })) },
})

export const entitlement = entitlementView.extend({ userId: id, version: z.number().int() })

export const getEntitlement = defineInternalRoute({
  method: 'GET',
  path: '/internal/entitlements/:userId',
  service: 'billing',
  callers: ['gateway', 'messaging'],
  summary: 'The present entitlement of a person, folded from the ledger. Without grants: free, version 0.',
  params: z.object({ userId: id }),
  responses: { 200: entitlement },
})

export const getEntitlements = defineInternalRoute({
  method: 'POST',
  path: '/internal/many-entitlements',
  service: 'billing',
  callers: ['gateway'],
  summary: 'The present entitlements of many people, in the order asked for.',
  body: people,
  responses: { 200: z.array(entitlement) },
})

export const listEntitlementChanges = defineInternalRoute({
  method: 'GET',
  path: '/internal/entitlement-changes',
  service: 'billing',
  callers: ['messaging'],
  summary:
    'Entitlements whose ledger changed since a time, oldest change first, at most 200. A projection of premium comes from it. A change may become visible after a later one.',
  query: z.strictObject({ since: timestamp }),
  responses: { 200: z.array(z.object({ entitlement, changedAt: timestamp })) },
})

export const getActivities = defineInternalRoute({
  method: 'POST',
  path: '/internal/activities',
  service: 'messaging',
  callers: ['gateway'],
  summary:
    'For an admin: the conversations of many people and their count of the day, in the order asked for. It is noted who was named by the conversations.',
  body: people.extend({ adminId: id }),
  responses: { 200: z.array(activity) },
})

export const getQuota = defineInternalRoute({
  method: 'GET',
  path: '/internal/quota/:userId',
  service: 'messaging',
  callers: ['gateway'],
  summary: 'Free messages used in the present UTC day.',
  params: z.object({ userId: id }),
  responses: { 200: quotaView },
})

export const isMember = defineInternalRoute({
  method: 'GET',
  path: '/internal/conversations/:id/members/:userId',
  service: 'messaging',
  callers: ['realtime'],
  summary: 'Whether a person is a member of a conversation; false when there is no such conversation.',
  params: z.object({ id, userId: id }),
  responses: { 200: z.object({ isMember: z.boolean() }) },
})

export const clearConversations = defineInternalRoute({
  method: 'POST',
  path: '/internal/people/:userId/clear-conversations',
  service: 'messaging',
  callers: ['auth'],
  summary:
    'Deletes all conversations of a person for that person alone, after a reset of the app. Repeated with the same `resetAt`, it clears nothing that came later. 503 while a job is still clearing.',
  params: z.object({ userId: id }),
  body: z.strictObject({ resetAt: timestamp }),
  responses: { 200: z.object({ ok: z.literal(true) }) },
})

export type SessionChanges = z.infer<(typeof getSessionChanges)['responses'][200]>
export type Person = z.infer<typeof person>
export type Entitlement = z.infer<typeof entitlement>
