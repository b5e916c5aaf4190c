import { z } from 'zod'
import { promoCode } from './code-fields.ts'
import { id, timestamp } from './primitives.ts'
import { defineRoute } from './route.ts'

const platform = z.enum(['ios', 'android'])
const perPerson = { points: 30, seconds: 600 } as const

const redemption = z.object({
  id,
  platform,
  promoCode: z.string(),
  status: z.enum(['pending', 'success', 'failed']),
  errorMessage: z.string().nullable(),
  createdAt: timestamp,
})

export const listPromoRedemptions = defineRoute({
  method: 'GET',
  path: '/api/promo-code/history',
  service: 'billing',
  access: 'session',
  summary:
    'The promo codes that the caller took to a store, newest first. Needs an unlocked session or a recent sign-in.',
  responses: { 200: z.object({ redemptions: z.array(redemption) }) },
  errors: ['step_up_required'],
})

export const logPromoRedemption = defineRoute({
  method: 'POST',
  path: '/api/promo-code/log-redemption',
  service: 'billing',
  access: 'session',
  summary:
    'Notes that the caller takes a promo code to a store. It succeeds by a verified event of that store only, and fails after 24 hours.',
  body: z.strictObject({ platform, promoCode }),
  example: { body: { platform: 'ios', promoCode: 'SUMMER-24' } },
  responses: { 201: redemption },
  errors: [],
  rate: { perPerson },
})

export const generatePromoUrl = defineRoute({
  method: 'POST',
  path: '/api/promo-code/generate-url',
  service: 'billing',
  access: 'session',
  summary: 'The page of the store where a promo code is redeemed.',
  body: z
    .strictObject({
      platform,
      promoCode,
      appId: z
        .string()
        .regex(/^\d{1,20}$/)
        .optional(),
    })
    .refine(({ platform: store, appId }) => store !== 'ios' || appId !== undefined, {
      path: ['appId'],
      message: 'The App Store needs the id of the app.',
    }),
  example: { body: { platform: 'android', promoCode: 'SUMMER-24' } },
  responses: { 200: z.object({ url: z.url() }) },
  errors: [],
  rate: { perPerson },
})

export type Redemption = z.infer<typeof redemption>
