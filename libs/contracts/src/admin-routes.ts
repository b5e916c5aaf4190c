import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { pageNumber } from './page-number.ts'
import { id, searchText, timestamp } from './primitives.ts'
import { limits } from './limits.ts'
import { defineRoute } from './route.ts'
import { account, entitlementView } from './user.ts'

/** Auth returns this part of a person's row to the gateway, which adds subscription, count and conversations. */
export const listedAccount = account
  .pick({
    id: true,
    username: true,
    email: true,
    fullName: true,
    userCode: true,
    isPhoneVerified: true,
    isAdmin: true,
    createdAt: true,
  })
  .extend({ phone: z.string().describe('Empty for none.'), suspendedAt: timestamp.nullable() })

/** Messaging returns this part of a person's row. */
export const activity = z.object({
  dailyMessageCount: z
    .number()
    .int()
    .min(0)
    .describe('Messages of the present UTC day that used a free slot.'),
  conversations: z
    .array(z.object({ id, otherUsername: z.string() }))
    .describe(`At most the newest ${limits.listedConversations}.`),
})

export const listedUser = listedAccount
  .extend(entitlementView.shape)
  .extend(activity.shape)
  .meta({ id: 'ListedUser', description: 'A person as an admin sees them.' })

/**
 * This response header has the number of all users. A search does not set it to the number of its results, which
 * would also count people whom no row names.
 */
export const totalHeader = 'x-total-count'

export const listUsers = defineRoute({
  method: 'GET',
  path: '/api/admin/users',
  service: 'auth',
  access: 'admin',
  summary: `People, newest first; \`${totalHeader}\` is the number of all, unless they are searched. The access log of each listed person records it. Answers 503 when a service that knows a part of the rows is unavailable.`,
  query: z.strictObject({
    limit: pageNumber(1, limits.listedUsersMax)
      .default(limits.listedUsers)
      .describe(`${limits.listedUsers} when absent.`),
    before: id.optional().describe('The last id of the previous page.'),
    q: searchText
      .optional()
      .describe('A part of the username, name, e-mail address, phone number or user code.'),
  }),
  deadlineMs: 5000,
  upstreamResponse: z.array(listedAccount),
  responses: { 200: z.array(listedUser) },
  errors: ['not_found'],
})

const userId = z.object({ userId: id })
const done = { 200: z.object({ ok: z.literal(true) }) }

export const suspendUser = defineRoute({
  method: 'POST',
  path: '/api/admin/users/:userId/suspend',
  service: 'auth',
  access: 'admin',
  summary:
    'Ends all sessions of a person and refuses new ones until the suspension is lifted. Not for an admin.',
  params: userId,
  example: { params: { userId: exampleValues.userId } },
  responses: done,
  errors: ['not_found', 'not_allowed'],
})

export const unsuspendUser = defineRoute({
  method: 'POST',
  path: '/api/admin/users/:userId/unsuspend',
  service: 'auth',
  access: 'admin',
  summary: 'Lets a suspended person sign in again.',
  params: userId,
  example: { params: { userId: exampleValues.userId } },
  responses: done,
  errors: ['not_found'],
})

export type ListedUser = z.output<typeof listedUser>
export type ListedAccount = z.output<typeof listedAccount>
export type Activity = z.output<typeof activity>
