import { openBus, openOutbox } from '@sumlock/bus/service-bus'
import { findPerson, getUsernames } from '@sumlock/contracts/internal-routes'
import { createAdminActionStore } from '@sumlock/service-kit/admin-actions'
import { toAppError } from '@sumlock/service-kit/app-error'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { openJobs } from '@sumlock/service-kit/jobs'
import { createKeyedQueue } from '@sumlock/service-kit/keyed-queue'
import { openDatabase } from '@sumlock/service-kit/open-database'
import { createPurges } from '@sumlock/service-kit/purges'
import { createServiceBase, internalClient } from '@sumlock/service-kit/service-base'
import { createUnconfirmedRecords } from '@sumlock/service-kit/unconfirmed-records'
import type { Config } from './config.ts'
import { migrations } from './migrations.ts'
import type { Payments } from './domain/payment.ts'
import { createGiftCodes } from './infrastructure/gift-codes.ts'
import { createGooglePlay } from './infrastructure/google-play.ts'
import { createSandboxPayments } from './infrastructure/sandbox-payments.ts'
import { createStripePayments } from './infrastructure/stripe-payments.ts'
import { createGiftStore } from './stores/gift-store.ts'
import { createLedgerStore } from './stores/ledger-store.ts'
import { createMobileSubscriptionStore } from './stores/mobile-subscription-store.ts'
import { createNotificationStore } from './stores/notification-store.ts'
import { createPaymentStore } from './stores/payment-store.ts'
import { createPromoRedemptionStore } from './stores/promo-redemption-store.ts'
import { createRedeemTryStore } from './stores/redeem-try-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Creates the parts of billing and connects them; resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = createServiceBase(config, 'billing')
  const connection = await openDatabase(base, migrations)
  const bus = openBus(base)
  const auth = internalClient(base, config.AUTH_INTERNAL_URL)
  const unconfirmed = createUnconfirmedRecords(base.metrics.registry)
  return {
    ...base,
    connection,
    bus,
    purges: createPurges({ auth, unconfirmed, logger: base.logger }),
    jobs: openJobs(base, connection, ['purge']),
    outbox: openOutbox(base, { bus, connection }),
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, base.clock, 'billing'),
    adminActions: createAdminActionStore(connection),
    ledger: createLedgerStore(connection),
    payments: createPaymentStore(connection),
    gifts: createGiftStore(connection),
    redeemTries: createRedeemTryStore(connection),
    /** Redemptions of the same code run one at a time in this process. */
    redeeming: createKeyedQueue((error) => toAppError(error).kind === 'unavailable'),
    mobileSubscriptions: createMobileSubscriptionStore(connection),
    promoRedemptions: createPromoRedemptionStore(connection),
    notificationsSeen: createNotificationStore(connection),
    ...(await openStores(config)),
    codes: createGiftCodes(config.GIFT_CODE_KEYS, config.GIFT_CODE_KEY_ID, config.GIFT_HASH_KEY),
    noticeKey: { id: config.NOTICE_KEY_ID, secret: config.NOTICE_KEY },
    publicOrigin: config.PUBLIC_ORIGINS[0] ?? '',
    provider: paymentsBy(config),
    findPerson: async (userId: string) =>
      (await auth.call(findPerson, { query: { userId, userCode: undefined } })).person,
    usernamesOf: async (userIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const people = await auth.call(getUsernames, { body: { userIds: [...userIds] } })
      return new Map(people.map(({ userId, username }) => [userId, username]))
    },
  }
}

/** A store without credentials is null. */
async function openStores({ APP_STORE, GOOGLE_PLAY, PROVIDER_TIMEOUT_MS: timeoutMs }: Config) {
  // Apple's library makes Node warn about `punycode`, so it is loaded only when it is needed.
  const appStore = APP_STORE && (await import('./infrastructure/app-store.ts'))
  return {
    appStore: appStore ? appStore.createAppStore({ ...APP_STORE, timeoutMs }) : null,
    googlePlay: GOOGLE_PLAY ? createGooglePlay({ ...GOOGLE_PLAY, timeoutMs }) : null,
  }
}

/** Returns null when nothing is sold here. */
function paymentsBy(config: Config): Payments | null {
  const { PAYMENTS, STRIPE_SECRET_KEY = '', STRIPE_WEBHOOK_SECRETS = [], STRIPE_URL, PUBLIC_ORIGINS } = config
  if (PAYMENTS === 'none') return null
  if (PAYMENTS === 'sandbox') return createSandboxPayments()
  return createStripePayments({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecrets: STRIPE_WEBHOOK_SECRETS,
    url: STRIPE_URL,
    timeoutMs: config.PROVIDER_TIMEOUT_MS,
    publicOrigin: PUBLIC_ORIGINS[0] ?? '',
  })
}
