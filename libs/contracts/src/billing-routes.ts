import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { id, timestamp } from './primitives.ts'
import { defineRoute } from './route.ts'
import { entitlementView } from './user.ts'

export const grantPremium = defineRoute({
  method: 'POST',
  path: '/api/admin/grants',
  service: 'billing',
  access: 'admin',
  summary: 'Appends premium days to a person’s ledger. Idempotent by `grantId`.',
  body: z.strictObject({ grantId: id.optional(), userId: id, days: z.number().int().min(1).max(3650) }),
  example: { body: { userId: exampleValues.userId, days: 30 } },
  responses: { 201: entitlementView.extend({ userId: id, startsAt: timestamp, endsAt: timestamp }) },
  errors: ['not_found', 'grant_id_reused'],
})
