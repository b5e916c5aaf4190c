import { randomUUID } from 'node:crypto'
import {
  appStoreWebhook,
  googlePlayWebhook,
  validateAndroid,
  validateIos,
} from '@sumlock/contracts/store-routes'
import { transact } from '@sumlock/service-kit/transact'
import { startAppStoreServer } from '@sumlock/testing/app-store-server'
import type { AppStoreServer } from '@sumlock/testing/app-store-server'
import { startGooglePlayServer } from '@sumlock/testing/google-play-server'
import type { GooglePlayServer } from '@sumlock/testing/google-play-server'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { appendGrant } from '../src/use-cases/change-ledger.ts'
import { forgetPart } from '../src/use-cases/forget-person.ts'
import type { PurgeProgress } from '../src/use-cases/forget-person.ts'
import { getEntitlement } from '../src/use-cases/get-entitlement.ts'
import { runDue } from '../src/use-cases/run-due.ts'
import { openBilling } from './open-billing.ts'

export const day = 86_400_000
export type IosPurchase = ReturnType<AppStoreServer['purchase']>
export type AndroidPurchase = ReturnType<GooglePlayServer['purchase']>
export type OpenStores = Awaited<ReturnType<typeof openStores>>

/** Billing with both stores, and the calls of people and stores. */
export async function openStores() {
  const [apple, google] = await Promise.all([startAppStoreServer(), startGooglePlayServer()])
  const clock = { offsetMs: 0 }
  const settings = { APP_STORE: apple.setting, GOOGLE_PLAY: google.setting }
  const billing = await openBilling(
    await sharedStack(),
    settings,
    () => new Date(Date.now() + clock.offsetMs),
  )
  const { ctx, call } = billing
  const planOf = (userId: string) => getEntitlement(ctx, { userId })
  return {
    apple,
    google,
    billing,
    clock,
    /** Lets both stores answer, and sets the clock to the present. */
    reset() {
      clock.offsetMs = 0
      apple.failWith = 'nothing'
      google.failWith = 'nothing'
    },
    onIos: (userId: string, body: IosPurchase) => call(validateIos, { userId, body }),
    onAndroid: (userId: string, body: AndroidPurchase) => call(validateAndroid, { userId, body }),
    tellApple: (body: object) => call(appStoreWebhook, { body }),
    tellGoogle: ({ body, authorization }: ReturnType<GooglePlayServer['notification']>) =>
      call(googlePlayWebhook, { body, headers: { authorization } }),
    planOf,
    untilMs: async (userId: string) => Date.parse((await planOf(userId)).subscriptionExpiresAt ?? ''),
    rowOf: (userId: string) => ctx.mobileSubscriptions.latestOf(userId),
    /** A year as a gift. */
    give: (userId: string) =>
      transact(ctx.connection, (session) =>
        appendGrant(ctx, session, { grantId: randomUUID(), userId, source: 'gift', lengthMs: 365 * day }),
      ),
    grantsOf: (userId: string) => ctx.ledger.grantsOf(userId),
    /** The state after a purge. The job itself is left out, because auth would not confirm it. */
    async forget(userId: string) {
      const purges = { confirm: () => Promise.resolve(null), acknowledge: () => Promise.resolve() }
      let progress: PurgeProgress | undefined = { standIn: randomUUID() }
      while (progress) progress = await forgetPart({ ...ctx, purges }, { subject: userId, progress })
    },
    runDue: () => runDue(ctx, ctx.clock.now()),
    async close() {
      await billing.close()
      await Promise.all([apple.close(), google.close()])
    },
  }
}
