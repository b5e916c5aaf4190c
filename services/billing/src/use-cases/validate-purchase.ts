import type { Context } from '../context.ts'
import { purchaseInvalid, storeUnavailable } from '../domain/store-errors.ts'
import { syncStoreState } from './sync-store-state.ts'

export interface IosPurchase {
  userId: string
  receiptData: string
  transactionId: string
  productId: string
}

/** Links an App Store subscription to the caller. A repeated call restores the purchase. */
export async function validateIos(ctx: Context, purchase: IosPurchase): Promise<void> {
  if (!ctx.appStore) throw storeUnavailable('not configured')
  const { verifyPurchase } = ctx.appStore
  await syncStoreState(ctx, () => verifyPurchase(purchase), purchase.userId)
}

export interface AndroidPurchase {
  userId: string
  packageName: string
  productId: string
  purchaseToken: string
}

/** Links a Google Play subscription to the caller. A repeated call restores the purchase. */
export async function validateAndroid(ctx: Context, purchase: AndroidPurchase): Promise<void> {
  if (!ctx.googlePlay) throw storeUnavailable('not configured')
  const { packageName, read } = ctx.googlePlay
  if (purchase.packageName !== packageName) throw purchaseInvalid('another app')
  const readThis = async () => {
    const state = await read(purchase.purchaseToken)
    if (state.productId !== purchase.productId) throw purchaseInvalid('another product')
    return state
  }
  await syncStoreState(ctx, readThis, purchase.userId)
}
