import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import type { StoreNotification, StorePlatform, StoreState } from '../domain/mobile-subscription.ts'
import { storeUnavailable } from '../domain/store-errors.ts'
import { syncStoreState } from './sync-store-state.ts'

/**
 * Reads the subscription of a verified notification from its store, so the order and repetition of notifications do not
 * matter. Resolves once the effect is stored. Rejects after a temporary failure, so that the store sends the notification
 * again.
 */
export async function handleNotification(
  ctx: Context,
  platform: StorePlatform,
  notification: StoreNotification | null,
): Promise<void> {
  if (!notification) return
  if (await ctx.notificationsSeen.has(`${platform}:${notification.id}`)) return
  try {
    const row = await syncStoreState(ctx, () => readFrom(ctx, platform, notification.storeId), null)
    if (!row)
      ctx.logger.info({ platform }, 'a store notification names a subscription that no account has claimed')
  } catch (error) {
    // The store does not have the purchase, so a repeated notification would not help.
    if (!(error instanceof AppError && error.code === 'purchase_invalid')) throw error
    ctx.logger.warn(
      { err: error, platform },
      'a store notification names a purchase that the store does not confirm',
    )
  }
  await ctx.notificationsSeen.add(`${platform}:${notification.id}`, ctx.clock.now())
}

export async function readFrom(ctx: Context, platform: StorePlatform, storeId: string): Promise<StoreState> {
  const store = platform === 'ios' ? ctx.appStore : ctx.googlePlay
  if (!store) throw storeUnavailable('not configured')
  return store.read(storeId)
}
