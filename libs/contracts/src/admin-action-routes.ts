import { z } from 'zod'
import { limits } from './limits.ts'
import { pageNumber } from './page-number.ts'
import { id, timestamp } from './primitives.ts'
import { defineRoute } from './route.ts'

export const adminActionKinds = [
  'users-listed',
  'users-searched',
  'user-suspended',
  'user-unsuspended',
  'premium-granted',
  'reports-listed',
  'report-closed',
  'conversations-listed',
  'actions-listed',
] as const

export type AdminActionKind = (typeof adminActionKinds)[number]

const adminAction = z
  .object({
    id,
    at: timestamp,
    admin: z.string().describe('A username.'),
    action: z.enum(adminActionKinds),
    people: z
      .array(z.string())
      .describe(
        `Usernames of the people who were shown or whom the act concerned: at most ${limits.namedPeople}.`,
      ),
    peopleCount: z
      .number()
      .int()
      .min(0)
      .describe('The number of all people of the action, including those not named here.'),
    days: z.number().int().optional().describe('The days of premium that a grant gave.'),
  })
  .meta({ id: 'AdminAction', description: 'What an administrator did or read.' })

const page = {
  method: 'GET',
  access: 'admin',
  query: z.strictObject({
    limit: pageNumber(1, limits.listedActions)
      .default(limits.listedActions)
      .describe(`${limits.listedActions} when absent.`),
    before: id.optional().describe('The last id of the previous page.'),
  }),
  deadlineMs: 5000,
  responses: { 200: z.array(adminAction) },
  errors: ['not_found'],
} as const

const summaryOf = (what: string) =>
  `Lists what administrators did with or read of ${what} within a year, latest first. A call of this route is recorded in the list as well.`

export const listAccountActions = defineRoute({
  ...page,
  path: '/api/admin/actions/accounts',
  service: 'auth',
  summary: summaryOf('accounts'),
})

export const listPremiumActions = defineRoute({
  ...page,
  path: '/api/admin/actions/premium',
  service: 'billing',
  summary: summaryOf('premium'),
})

export const listReportActions = defineRoute({
  ...page,
  path: '/api/admin/actions/reports',
  service: 'messaging',
  summary: summaryOf('reports, and whose conversations the list of people named'),
})

/** The person concerned reads this view of an act, which does not name the administrator. */
const access = z.object({
  at: timestamp.describe('The minute of the act.'),
  action: z.enum(['looked-at', 'suspended', 'unsuspended', 'premium-granted']),
  days: z.number().int().optional().describe('The sum of the days that were granted in that minute.'),
})

const own = {
  method: 'GET',
  access: 'session',
  responses: { 200: z.array(access) },
  errors: ['step_up_required'],
} as const

export const listAccesses = defineRoute({
  ...own,
  path: '/api/access-log',
  service: 'auth',
  summary:
    'When an administrator was shown this account, suspended it, or lifted the suspension, the latest first: at most 100 of the last year. Reports are not among them. Requires a step-up.',
})

export const listGrantsByAdmins = defineRoute({
  ...own,
  path: '/api/access-log/premium',
  service: 'billing',
  summary:
    'When an administrator gave this account premium, the latest first: at most 100 of the last year. Requires a step-up.',
})

export type AdminActionView = z.output<typeof adminAction>
export type Access = z.output<typeof access>
