import { AppError } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import type { StoreNotification, StorePlatform, StoreState } from '../domain/mobile-subscription.ts'
import { storeUnavailable } from '../domain/store-errors.ts'
import { syncStoreState } from './sync-store-state.ts'

/**
 * A verified notification only leads to a new read from the store, so order and repetition do not matter. Resolves once the
 * effect is stored; a failure that may pass makes the store send it again.
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
    // The store no longer has the purchase, so another notification would not help.
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
