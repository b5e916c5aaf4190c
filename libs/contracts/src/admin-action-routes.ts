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
      .describe(`Usernames of those who were shown, or whom it was about: at most ${limits.namedPeople}.`),
    peopleCount: z.number().int().min(0).describe('The number of all of them.'),
    days: z.number().int().optional().describe('Of a grant.'),
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
  `What administrators did and read of ${what} within a year, the latest first. Reading it is noted there, too.`

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

/** The act as its person reads it, without the administrator's name. */
const access = z.object({
  at: timestamp.describe('To the minute.'),
  action: z.enum(['looked-at', 'suspended', 'unsuspended', 'premium-granted']),
  days: z.number().int().optional().describe('Of grants: their sum in that minute.'),
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
