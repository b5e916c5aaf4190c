import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { timestamp } from './primitives.ts'
import { rawBody } from './route-body.ts'
import { defineRoute } from './route.ts'
import { entitlementView } from './user.ts'

const storeDeadlineMs = 8000
const perPerson = { points: 30, seconds: 600 } as const
const done = z.object({ ok: z.literal(true) })

const productId = z.string().min(1).max(128)

export const validateAndroid = defineRoute({
  method: 'POST',
  path: '/api/mobile-subscription/validate-android',
  service: 'billing',
  access: 'session',
  summary:
    'Links a purchase at Google Play to the caller, after asking Google about it. Repeating it restores the purchase.',
  body: z.strictObject({
    packageName: z.string().min(1).max(256),
    productId,
    purchaseToken: z.string().min(1).max(4096),
  }),
  example: {
    body: {
      packageName: 'com.example.calculator',
      productId: 'premium_yearly',
      purchaseToken: exampleValues.token,
    },
  },
  responses: { 200: entitlementView },
  errors: ['purchase_invalid', 'purchase_taken', 'store_unavailable'],
  deadlineMs: storeDeadlineMs,
  rate: { perPerson },
})

export const validateIos = defineRoute({
  method: 'POST',
  path: '/api/mobile-subscription/validate-ios',
  service: 'billing',
  access: 'session',
  summary:
    'Links a purchase at the App Store to the caller, after verifying its signature and asking Apple about it. Repeating it restores the purchase.',
  body: z.strictObject({
    receiptData: z
      .string()
      .min(1)
      .max(limits.receiptMaxLength)
      .describe('A signed transaction (JWS) of StoreKit 2, or an app receipt in base64.'),
    transactionId: z.string().min(1).max(64),
    productId,
  }),
  bodyMaxBytes: limits.receiptMaxLength + 4096,
  example: {
    body: {
      receiptData: exampleValues.token,
      transactionId: '2000000000000001',
      productId: 'premium_yearly',
    },
  },
  responses: { 200: entitlementView },
  errors: ['purchase_invalid', 'purchase_taken', 'store_unavailable'],
  deadlineMs: storeDeadlineMs,
  rate: { perPerson },
})

export const getMobileSubscription = defineRoute({
  method: 'GET',
  path: '/api/mobile-subscription/status',
  service: 'billing',
  access: 'session',
  summary: 'The latest store subscription of the caller. Needs an unlocked session or a recent sign-in.',
  responses: {
    200: z.object({
      isActive: z.boolean(),
      subscription: z
        .object({
          platform: z.enum(['ios', 'android']),
          productId: z.string(),
          expiryDate: timestamp,
          autoRenewing: z.boolean(),
        })
        .nullable(),
    }),
  },
  errors: ['step_up_required'],
})

export const appStoreWebhook = defineRoute({
  method: 'POST',
  path: '/api/webhooks/app-store',
  service: 'billing',
  access: 'webhook',
  signatureHeader: null,
  summary:
    'App Store Server Notifications, version 2. A verified one makes us ask Apple again; answered once its effect is stored.',
  body: rawBody,
  bodyMaxBytes: 256 * 1024,
  responses: { 200: done },
  errors: ['signature_invalid', 'store_unavailable'],
  deadlineMs: storeDeadlineMs,
})

export const googlePlayWebhook = defineRoute({
  method: 'POST',
  path: '/api/webhooks/google-play',
  service: 'billing',
  access: 'webhook',
  signatureHeader: 'authorization',
  summary:
    'Real-time developer notifications, pushed by Pub/Sub with an OIDC token. A verified one makes us ask Google again; answered once its effect is stored.',
  body: rawBody,
  responses: { 200: done },
  errors: ['signature_invalid', 'store_unavailable'],
  deadlineMs: storeDeadlineMs,
})
