export type StorePlatform = 'ios' | 'android'

export interface MobileSubscription {
  /** The grant of the subscription has the same id. */
  _id: string
  userId: string
  platform: StorePlatform
  productId: string
  purchaseToken: string | null
  originalTransactionId: string | null
  /** The last answer of the store is kept without personal data. */
  latestReceiptInfo: object
  purchaseDate: Date
  /** The paid time, or the store's grace period after it, ends at this time. */
  expiryDate: Date
  isActive: boolean
  autoRenewing: boolean
  cancellationDate: Date | null
  lastVerifiedAt: Date
  createdAt: Date
  updatedAt: Date
  /** Consists of the platform and the store's id. It is unique, so that a subscription belongs to one account. */
  storeKey: string
  /** True once the purchase is confirmed at Google, which otherwise refunds it; always true for Apple. */
  isAcknowledged: boolean
  /** The subscription was last read from its store, or claimed for the daily check, at this time. */
  checkedAt: Date
  /** The same value as in `StoreState`. A renewal does not change it, so only a new value confirms a promo code. */
  offer?: string | null
  /** The same value as in `StoreState`. */
  isSandbox?: boolean
  /** The account of this subscription was deleted, so its owner may link the subscription to a new account. */
  isOrphan?: boolean
}

/** Describes the state of a subscription at its store. */
export interface StoreState {
  platform: StorePlatform
  /** The store identifies the subscription by its original transaction id (Apple) or its purchase token (Google). */
  storeId: string
  productId: string
  /** The app may give our user id to the store with a purchase; null if it did not. */
  accountId: string | null
  purchaseDate: Date
  expiryDate: Date
  isActive: boolean
  autoRenewing: boolean
  /** Apple: the purchase was refunded or revoked at this time. Google: the buyer stopped the renewal at this time. */
  cancellationDate: Date | null
  /**
   * The grant ends at this time: when the paid time or the store's grace period ends, or when the store took the purchase
   * back.
   */
  endsAt: Date
  /** The store's name for the offer that a code led to; null when the subscription was bought without a code. */
  offer: string | null
  needsAcknowledgement: boolean
  /** Android: this subscription replaces the one with this token. */
  linkedToken: string | null
  /** A reviewer or tester got the subscription without paying. It grants premium until its end and counts as no sale. */
  isSandbox: boolean
  receipt: object
}

/** A verified notification reports that this subscription has changed. */
export interface StoreNotification {
  id: string
  storeId: string
}

export const storeKeyOf = ({ platform, storeId }: Pick<StoreState, 'platform' | 'storeId'>): string =>
  `${platform}:${storeId}`

/**
 * Reads purchases from the App Store. Its errors are AppErrors: `purchase_invalid`, `signature_invalid` or
 * `store_unavailable`.
 */
export interface AppStore {
  verifyPurchase(
    this: void,
    input: { receiptData: string; transactionId: string; productId: string; userId: string },
  ): Promise<StoreState>
  read(this: void, originalTransactionId: string): Promise<StoreState>
  /** Resolves with null when the notification concerns no subscription. */
  readNotification(this: void, body: Uint8Array): Promise<StoreNotification | null>
}

/** Reads purchases from Google Play. Its errors are those of `AppStore`. */
export interface GooglePlay {
  readonly packageName: string
  read(this: void, purchaseToken: string): Promise<StoreState>
  acknowledge(this: void, subscription: { productId: string; purchaseToken: string }): Promise<void>
  readNotification(
    this: void,
    body: Uint8Array,
    authorization: string | undefined,
  ): Promise<StoreNotification | null>
}
