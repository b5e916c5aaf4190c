import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { openOwnDatabase } from '@sumlock/testing/own-database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { startStripeServer } from '@sumlock/testing/stripe-server'
import type { StripeServer } from '@sumlock/testing/stripe-server'
import { migrations } from '../src/migrations.ts'
import { openBilling } from './open-billing.ts'
import type { OpenBilling } from './open-billing.ts'

export interface Shop {
  stripe: StripeServer
  billing: OpenBilling
  /** A second replica. */
  other: OpenBilling
  /** The offset of both clocks; zero at the start of each test. */
  offsetMs: number
}

/** Billing that sells through a local Stripe, for all tests of a file. It has a database of its own, because its clock would end the data of others. */
export function billingWithStripe(): Shop {
  const shop = { offsetMs: 0 } as Shop
  let database: Awaited<ReturnType<typeof openOwnDatabase>>
  const nowMs = () => Date.now() + shop.offsetMs
  beforeAll(async () => {
    shop.stripe = await startStripeServer(nowMs)
    const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
    database = await openOwnDatabase('billing', logger)
    await runMigrations(database.connection, migrations, { logger, clock: systemClock() })
    const settings = { ...shop.stripe.settings, MONGO_URL: database.url }
    const stack = await sharedStack()
    shop.billing = await openBilling(stack, settings, () => new Date(nowMs()))
    shop.other = await openBilling(stack, settings, () => new Date(nowMs()))
  })
  afterAll(async () => {
    await shop.billing?.close()
    await shop.other?.close()
    await shop.stripe?.close()
    await database?.close()
  })
  beforeEach(() => {
    shop.offsetMs = 0
    shop.stripe.failWith = 'nothing'
    shop.stripe.beforeAnswer = () => Promise.resolve()
    shop.stripe.afterDisputesRead = () => Promise.resolve()
  })
  return shop
}
