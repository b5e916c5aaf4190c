import { sharedStack } from '@sumlock/testing/shared-stack'
import { startStripeServer } from '@sumlock/testing/stripe-server'
import type { StripeServer } from '@sumlock/testing/stripe-server'
import { openBilling } from './open-billing.ts'
import type { OpenBilling } from './open-billing.ts'

interface Shop {
  stripe: StripeServer
  billing: OpenBilling
  /** How far the clock of both is ahead; zero at the start of each test. */
  offsetMs: number
}

/** Billing that sells through a local Stripe, for all tests of a file. */
export function billingWithStripe(): Shop {
  const shop = { offsetMs: 0 } as Shop
  const nowMs = () => Date.now() + shop.offsetMs
  beforeAll(async () => {
    shop.stripe = await startStripeServer(nowMs)
    shop.billing = await openBilling(await sharedStack(), shop.stripe.settings, () => new Date(nowMs()))
  })
  afterAll(async () => {
    await shop.billing?.close()
    await shop.stripe?.close()
  })
  beforeEach(() => {
    shop.offsetMs = 0
    shop.stripe.failWith = 'nothing'
    shop.stripe.beforeAnswer = () => Promise.resolve()
  })
  return shop
}
