export type StorePlatform = 'ios' | 'android'

export interface MobileSubscription {
  /** The id of the subscription and of its grant. */
  _id: string
  userId: string
  platform: StorePlatform
  productId: string
  purchaseToken: string | null
  originalTransactionId: string | null
  /** The store's last answer, without personal data. */
  latestReceiptInfo: object
  purchaseDate: Date
  /** The end of the paid time, or of the store's grace. */
  expiryDate: Date
  isActive: boolean
  autoRenewing: boolean
  cancellationDate: Date | null
  lastVerifiedAt: Date
  createdAt: Date
  updatedAt: Date
  /** Platform and the store's id of the subscription; unique: it belongs to one account. */
  storeKey: string
  /** Android: whether the purchase is confirmed at the store, which otherwise takes it back. */
  isAcknowledged: boolean
  /** The last time the nightly job took it. */
  checkedAt: Date
  /** The same field as in `StoreState`. A renewal keeps it, so only a changed value confirms another promo code. */
  offer?: string | null
  /** The same field as in `StoreState`. */
  isSandbox?: boolean
  /** Its account was deleted: the owner may link it to a new one. */
  isOrphan?: boolean
}

/** A subscription as its store describes it. */
export interface StoreState {
  platform: StorePlatform
  /** The store's id: the original transaction id, or the purchase token. */
  storeId: string
  productId: string
  /** Our user id, if the app gave it to the store with the purchase. */
  accountId: string | null
  purchaseDate: Date
  expiryDate: Date
  isActive: boolean
  autoRenewing: boolean
  /** At Apple, the time of a refund or revocation; at Google, the time at which the buyer stopped the renewal. */
  cancellationDate: Date | null
  /** The end of its grant: the end of the paid time or of the store's grace, or the time at which the store took it back. */
  endsAt: Date
  /** The offer that a code led to, by the store's name for it; null: bought without a code. */
  offer: string | null
  needsAcknowledgement: boolean
  /** Android: the token of the subscription that this one replaces. */
  linkedToken: string | null
  /** Bought without money, by a reviewer or tester. It grants premium until the store's date and counts as no sale. */
  isSandbox: boolean
  receipt: object
}

/** A verified notification: something about this subscription has changed. */
export interface StoreNotification {
  id: string
  storeId: string
}

export const storeKeyOf = ({ platform, storeId }: Pick<StoreState, 'platform' | 'storeId'>): string =>
  `${platform}:${storeId}`

/** The store of iOS. Its errors are AppErrors: `purchase_invalid`, `signature_invalid` or `store_unavailable`. */
export interface AppStore {
  verifyPurchase(
    this: void,
    input: { receiptData: string; transactionId: string; productId: string; userId: string },
  ): Promise<StoreState>
  read(this: void, originalTransactionId: string): Promise<StoreState>
  /** Null when it concerns no subscription. */
  readNotification(this: void, body: Uint8Array): Promise<StoreNotification | null>
}

/** The store of Android, with the same errors. */
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
