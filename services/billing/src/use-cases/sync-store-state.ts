import { randomUUID } from 'node:crypto'
import { id } from '@sumlock/contracts/primitives'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { storeKeyOf } from '../domain/mobile-subscription.ts'
import type { MobileSubscription, StoreState } from '../domain/mobile-subscription.ts'
import { purchaseTaken } from '../domain/store-errors.ts'
import type { LedgerSession } from '../stores/ledger-store.ts'
import { setStoreEnd } from './change-ledger.ts'

/**
 * Reads a subscription from its store and stores the answer, with the effect on premium, in one transaction. An answer is
 * dropped if it was requested before the stored one. With a `userId`, the subscription is claimed for this account. With
 * null, it keeps its owner or, if it has none, gets the existing account that the purchase names. Resolves with the row, or
 * with null when there is no owner.
 */
export async function syncStoreState(
  ctx: Context,
  read: () => Promise<StoreState>,
  userId: string | null,
): Promise<MobileSubscription | null> {
  const askedAt = ctx.clock.now()
  const state = await read()
  const named = userId === null ? await namedAccount(ctx, state) : null
  for (let isRetry = false; ; isRetry = true) {
    try {
      const row = await transact(ctx.connection, (session) =>
        sync(ctx, { state, askedAt, named }, userId, session),
      )
      ctx.outbox.kick()
      if (row && !row.isAcknowledged) await acknowledge(ctx, row)
      return row
    } catch (error) {
      // A concurrent request stored the same subscription first, so the second run updates it.
      if (isRetry || (error as { code?: number }).code !== 11000) throw error
    }
  }
}

async function sync(
  ctx: Context,
  { state, askedAt, named }: { state: StoreState; askedAt: Date; named: string | null },
  claimant: string | null,
  session: LedgerSession,
): Promise<MobileSubscription | null> {
  const known = await ctx.mobileSubscriptions.byStoreKey(storeKeyOf(state), session)
  const replaced = state.linkedToken
    ? await ctx.mobileSubscriptions.byStoreKey(`${state.platform}:${state.linkedToken}`, session)
    : null
  const owner = ownerOf(known) ?? ownerOf(replaced)
  if (claimant !== null && owner !== null && owner !== claimant) throw purchaseTaken()
  if (claimant !== null && owner === null && state.accountId !== null && state.accountId !== claimant)
    throw purchaseTaken()
  const userId = owner ?? claimant ?? named
  if (userId === null) return null

  const now = ctx.clock.now()
  if (known?.isOrphan) await ctx.mobileSubscriptions.remove(known._id, session)
  const kept = known?.isOrphan ? null : known
  if (kept && kept.lastVerifiedAt > askedAt) return kept
  const row = { ...toRow(state, userId, kept, now), lastVerifiedAt: askedAt }
  if (kept) await ctx.mobileSubscriptions.update(kept._id, row, session)
  else await ctx.mobileSubscriptions.insert(row, session)
  const grant = {
    grantId: row._id,
    userId,
    startsAt: state.purchaseDate,
    ...(state.isSandbox && { isSandbox: true }),
  }
  await setStoreEnd(ctx, session, { ...grant, endsAt: state.endsAt })
  if (replaced && replaced._id !== row._id) await end(ctx, replaced, session)
  if (state.offer !== null && state.offer !== kept?.offer)
    await ctx.promoRedemptions.succeed({ userId, platform: state.platform }, row._id, now, session)
  return row
}

/**
 * Returns the account that a purchase without an owner names, because apps give the store our user id. Google refunds a
 * purchase that nobody claims in time.
 */
async function namedAccount(ctx: Context, state: StoreState): Promise<string | null> {
  const { accountId } = state
  if (accountId === null || !id.safeParse(accountId).success) return null
  if (await ctx.mobileSubscriptions.byStoreKey(storeKeyOf(state))) return null
  const person = await ctx.findPerson(accountId)
  return person ? accountId : null
}

const ownerOf = (row: MobileSubscription | null): string | null => (row && !row.isOrphan ? row.userId : null)

/** Ends a subscription that was replaced by another one of the same person. */
async function end(ctx: Context, replaced: MobileSubscription, session: LedgerSession): Promise<void> {
  const now = ctx.clock.now()
  const endsAt = replaced.expiryDate < now ? replaced.expiryDate : now
  const change = { isActive: false, autoRenewing: false, expiryDate: endsAt, updatedAt: now }
  await ctx.mobileSubscriptions.update(replaced._id, change, session)
  const { _id: grantId, userId, purchaseDate: startsAt } = replaced
  await setStoreEnd(ctx, session, { grantId, userId, startsAt, endsAt })
}

function toRow(
  state: StoreState,
  userId: string,
  known: MobileSubscription | null,
  now: Date,
): MobileSubscription {
  const isAndroid = state.platform === 'android'
  return {
    _id: known?._id ?? randomUUID(),
    userId,
    platform: state.platform,
    productId: state.productId,
    purchaseToken: isAndroid ? state.storeId : null,
    originalTransactionId: isAndroid ? null : state.storeId,
    latestReceiptInfo: state.receipt,
    purchaseDate: state.purchaseDate,
    expiryDate: state.expiryDate,
    isActive: state.isActive,
    autoRenewing: state.autoRenewing,
    cancellationDate: state.cancellationDate,
    lastVerifiedAt: now,
    createdAt: known?.createdAt ?? now,
    updatedAt: now,
    storeKey: storeKeyOf(state),
    isAcknowledged: !state.needsAcknowledgement,
    checkedAt: now,
    offer: state.offer,
    isSandbox: state.isSandbox,
  }
}

/**
 * Acknowledges a purchase at Google, which takes back purchases that are not acknowledged within three days. Call this only
 * after the purchase is stored.
 */
export async function acknowledge(ctx: Context, row: MobileSubscription): Promise<void> {
  const { _id, productId, purchaseToken } = row
  if (!ctx.googlePlay || purchaseToken === null) return
  try {
    await ctx.googlePlay.acknowledge({ productId, purchaseToken })
    await ctx.mobileSubscriptions.markAcknowledged(_id)
  } catch (error) {
    ctx.logger.warn(
      { err: error, subscriptionId: _id },
      'purchase could not be acknowledged and will be retried',
    )
  }
}
