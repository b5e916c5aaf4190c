import {
  APIException,
  AppStoreServerAPIClient,
  Environment,
  OfferType,
  SignedDataVerifier,
  Status,
  VerificationException,
} from '@apple/app-store-server-library'
import type {
  JWSRenewalInfoDecodedPayload,
  JWSTransactionDecodedPayload,
} from '@apple/app-store-server-library'
import { storeProductIds } from '@sumlock/contracts/store-products'
import { AppError } from '@sumlock/service-kit/app-error'
import { z } from 'zod'
import { transactionIdsIn } from './app-receipt.ts'
import { jsonIn } from './json-in.ts'
import type { AppStore, StoreState } from '../domain/mobile-subscription.ts'
import { purchaseInvalid, signatureInvalid, storeUnavailable } from '../domain/store-errors.ts'

export interface AppStoreSettings {
  bundleId: string
  /** Apple's id of the app is required in production. */
  appAppleId?: number | undefined
  issuerId: string
  keyId: string
  /** The key has the format PKCS 8 in PEM. */
  privateKey: string
  environment: 'Production' | 'Sandbox'
  /** Apple's root certificates are DER in base64. */
  rootCertificates: string[]
  timeoutMs: number
  /** Tests set the address of a local server. */
  apiUrl?: string | undefined
}

const named = z.object({ environment: z.string().optional() })
const signedEnvironment = named.extend({ data: named.optional() })
const posting = z.object({ signedPayload: z.string().min(1) })

/** Gives each call of the library a time limit, and lets tests use another address. */
class Client extends AppStoreServerAPIClient {
  readonly #base: string
  readonly #timeoutMs: number
  constructor(settings: AppStoreSettings, environment: Environment, path: string) {
    super(settings.privateKey, settings.keyId, settings.issuerId, settings.bundleId, environment)
    this.#timeoutMs = settings.timeoutMs
    this.#base =
      (settings.apiUrl && settings.apiUrl + path) ??
      (environment === Environment.PRODUCTION
        ? 'https://api.storekit.apple.com'
        : 'https://api.storekit-sandbox.apple.com')
  }

  protected override makeFetchRequest(
    path: string,
    query: URLSearchParams,
    method: string,
    body: string | undefined,
    headers: Record<string, string>,
  ) {
    const options = {
      method,
      headers,
      signal: AbortSignal.timeout(this.#timeoutMs),
      ...(body ? { body } : {}),
    }
    return fetch(`${this.#base}${path}?${query.toString()}`, options) as never
  }
}

/** Apple has two environments with separate data: production and sandbox. */
interface Side {
  environment: Environment
  verifier: SignedDataVerifier
  client: Client
}

function openSide(settings: AppStoreSettings, environment: Environment, path = ''): Side {
  const { bundleId, appAppleId } = settings
  const roots = settings.rootCertificates.map((certificate) => Buffer.from(certificate, 'base64'))
  // Online checks are off: the certificate chain is verified for the time of the signature, and revocation is not checked.
  const verifier = new SignedDataVerifier(roots, false, environment, bundleId, appAppleId)
  return { environment, verifier, client: new Client(settings, environment, path) }
}

/**
 * Calls the App Store Server API, and verifies signed data from it and from the app. With production settings, App Review
 * and TestFlight still buy in the sandbox, so production is tried first and then the sandbox.
 */
export function createAppStore(settings: AppStoreSettings): AppStore {
  const sides: [Side, ...Side[]] =
    settings.environment === 'Production'
      ? [
          openSide(settings, Environment.PRODUCTION),
          openSide(settings, Environment.SANDBOX, settings.apiUrl && '/sandbox'),
        ]
      : [openSide(settings, Environment.SANDBOX)]
  /** Returns the side that signed data names. Its verifier then checks the signature and that name. */
  const sideOf = (jws: string) =>
    sides.find(({ environment }) => environment === environmentIn(jws)) ?? sides[0]
  /** Resolves with the answer of the first side that has the purchase. */
  const askSides = async <T>(ask: (side: Side) => Promise<T>): Promise<T> => {
    const [first, ...others] = sides
    return others.reduce<Promise<T>>(
      (answer, side) =>
        answer.catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'purchase_invalid') return ask(side)
          throw error
        }),
      ask(first),
    )
  }

  const transactionOf = (jws: string | undefined = '') =>
    sideOf(jws)
      .verifier.verifyAndDecodeTransaction(jws)
      .catch((error: unknown) => {
        throw purchaseInvalid(error)
      })

  const readAt = async ({ client, verifier }: Side, originalTransactionId: string): Promise<StoreState> => {
    const { data } = await client.getAllSubscriptionStatuses(originalTransactionId).catch(asStoreError)
    const items = data?.flatMap(({ lastTransactions }) => lastTransactions ?? []) ?? []
    const item = items.find((one) => one.originalTransactionId === originalTransactionId)
    if (!item) throw purchaseInvalid('no such subscription')
    const transaction = await transactionOf(item.signedTransactionInfo)
    const renewal = await verifier.verifyAndDecodeRenewalInfo(item.signedRenewalInfo ?? '').catch(() => null)
    return stateFrom(transaction, renewal, item.status)
  }
  const read = (originalTransactionId: string) => askSides((side) => readAt(side, originalTransactionId))

  return {
    read,

    async verifyPurchase({ receiptData, transactionId, productId, userId }) {
      const isSigned = receiptData.split('.').length === 3
      const transaction = isSigned
        ? await transactionOf(receiptData)
        : await transactionOf(await askSides(({ client }) => signedIn(client, receiptData, transactionId)))
      // The signature of an app receipt is not verified, so its transaction must name this account.
      const isOurs = isSigned || transaction.appAccountToken?.toLowerCase() === userId
      const { originalTransactionId } = transaction
      if (!isOurs || !originalTransactionId || transaction.transactionId !== transactionId)
        throw purchaseInvalid('the receipt is for another transaction')
      if (transaction.productId !== productId || !isKnown(productId)) throw purchaseInvalid('unknown product')
      return read(originalTransactionId)
    },

    async readNotification(body) {
      const posted = posting.safeParse(jsonIn(body))
      if (!posted.success) throw signatureInvalid(posted.error)
      const { verifier } = sideOf(posted.data.signedPayload)
      try {
        const { notificationUUID, data } = await verifier.verifyAndDecodeNotification(
          posted.data.signedPayload,
        )
        if (!data?.signedTransactionInfo || !notificationUUID) return null
        const transaction = await verifier.verifyAndDecodeTransaction(data.signedTransactionInfo)
        const { originalTransactionId: storeId } = transaction
        return storeId ? { id: notificationUUID, storeId } : null
      } catch (error) {
        throw error instanceof VerificationException ? signatureInvalid(error) : error
      }
    },
  }
}

/** Reads the environment that signed data names, without verifying the signature. */
function environmentIn(jws: string): string | undefined {
  const [, payload = ''] = jws.split('.')
  const found = signedEnvironment.safeParse(jsonIn(Buffer.from(payload, 'base64url')))
  return found.data?.environment ?? found.data?.data?.environment
}

const isKnown = (productId: string): boolean => (storeProductIds as readonly string[]).includes(productId)

/** Checks that an app receipt lists the transaction, and fetches it from Apple in signed form. */
async function signedIn(client: AppStoreServerAPIClient, receiptData: string, transactionId: string) {
  let ids: string[]
  try {
    ids = transactionIdsIn(receiptData)
  } catch (error) {
    throw purchaseInvalid(error)
  }
  if (!ids.includes(transactionId)) throw purchaseInvalid('the receipt has no such transaction')
  return (await client.getTransactionInfo(transactionId).catch(asStoreError)).signedTransactionInfo
}

function asStoreError(error: unknown): never {
  if (error instanceof APIException && error.httpStatusCode >= 400 && error.httpStatusCode < 500)
    throw error.httpStatusCode === 404 || error.httpStatusCode === 400
      ? purchaseInvalid(error)
      : storeUnavailable(error)
  throw storeUnavailable(error)
}

function stateFrom(
  transaction: JWSTransactionDecodedPayload,
  renewal: JWSRenewalInfoDecodedPayload | null,
  status: Status | number | undefined,
): StoreState {
  const { originalTransactionId = '', productId = '', expiresDate = 0, revocationDate } = transaction
  const { transactionId, offerType, offerIdentifier } = transaction
  const graceEnd = renewal?.gracePeriodExpiresDate ?? 0
  const endMs = status === Status.BILLING_GRACE_PERIOD ? Math.max(graceEnd, expiresDate) : expiresDate
  return {
    platform: 'ios',
    storeId: originalTransactionId,
    productId,
    accountId: transaction.appAccountToken?.toLowerCase() ?? null,
    purchaseDate: new Date(transaction.originalPurchaseDate ?? transaction.purchaseDate ?? 0),
    expiryDate: new Date(endMs),
    isActive: status === Status.ACTIVE || status === Status.BILLING_GRACE_PERIOD,
    autoRenewing: renewal?.autoRenewStatus === 1,
    cancellationDate: revocationDate ? new Date(revocationDate) : null,
    endsAt: new Date(Math.min(endMs, revocationDate ?? endMs)),
    offer: offerType === OfferType.OFFER_CODE ? (offerIdentifier ?? transactionId ?? '') : null,
    needsAcknowledgement: false,
    linkedToken: null,
    isSandbox: transaction.environment !== Environment.PRODUCTION,
    receipt: { transactionId, status, offerType },
  }
}
