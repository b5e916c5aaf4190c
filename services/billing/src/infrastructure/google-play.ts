import { storeProductIds } from '@sumlock/contracts/store-products'
import { createRemoteJWKSet, importPKCS8, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { GooglePlay, StoreState } from '../domain/mobile-subscription.ts'
import { jsonIn } from './json-in.ts'
import { purchaseInvalid, signatureInvalid, storeUnavailable } from '../domain/store-errors.ts'

export interface GooglePlaySettings {
  packageName: string
  /** This service account may read purchases. */
  clientEmail: string
  /** The key has the format PKCS 8 in PEM. */
  privateKey: string
  /** Tokens of Pub/Sub must have this audience and this account. */
  pushAudience: string
  pushEmail: string
  timeoutMs: number
  /** Tests set addresses of a local server. */
  apiUrl?: string | undefined
  tokenUrl?: string | undefined
  certsUrl?: string | undefined
}

const scope = 'https://www.googleapis.com/auth/androidpublisher'
/** Access lasts until the expiry in these states; a cancelled subscription is paid until then. */
const activeStates = ['ACTIVE', 'IN_GRACE_PERIOD', 'CANCELED'].map((state) => `SUBSCRIPTION_STATE_${state}`)
const inactiveStates = ['ON_HOLD', 'PAUSED', 'EXPIRED', 'PENDING', 'PENDING_PURCHASE_CANCELED'].map(
  (state) => `SUBSCRIPTION_STATE_${state}`,
)

/** We read only these fields of `purchases.subscriptionsv2.get`. */
const purchase = z.object({
  subscriptionState: z.string(),
  startTime: z.iso.datetime({ offset: true }).optional(),
  linkedPurchaseToken: z.string().optional(),
  acknowledgementState: z.string().optional(),
  /** Present only if a license tester made the purchase. */
  testPurchase: z.object({}).optional(),
  canceledStateContext: z
    .object({
      userInitiatedCancellation: z
        .object({ cancelTime: z.iso.datetime({ offset: true }).optional() })
        .optional(),
    })
    .optional(),
  externalAccountIdentifiers: z.object({ obfuscatedExternalAccountId: z.string().optional() }).optional(),
  lineItems: z
    .array(
      z.object({
        productId: z.string(),
        expiryTime: z.iso.datetime({ offset: true }).optional(),
        autoRenewingPlan: z.object({ autoRenewEnabled: z.boolean().optional() }).optional(),
        signupPromotion: z
          .object({ vanityCode: z.object({ promotionCode: z.string().optional() }).optional() })
          .optional(),
      }),
    )
    .min(1),
})

const notification = z.object({
  packageName: z.string(),
  subscriptionNotification: z.object({ purchaseToken: z.string() }).optional(),
  voidedPurchaseNotification: z.object({ purchaseToken: z.string() }).optional(),
})

const pushed = z.object({ message: z.object({ messageId: z.string().min(1), data: z.string() }) })

/** Calls the Google Play Developer API with a service account, and verifies notifications by the tokens of Pub/Sub. */
export function createGooglePlay(settings: GooglePlaySettings): GooglePlay {
  const { packageName, timeoutMs, apiUrl = 'https://androidpublisher.googleapis.com' } = settings
  const { certsUrl = 'https://www.googleapis.com/oauth2/v3/certs' } = settings
  const keys = createRemoteJWKSet(new URL(certsUrl), { timeoutDuration: timeoutMs })
  const token = createTokens(settings)
  const purchases = `${apiUrl}/androidpublisher/v3/applications/${encodeURIComponent(packageName)}/purchases`

  const ask = async (url: string, method: 'GET' | 'POST'): Promise<Response> => {
    const authorization = `Bearer ${await token()}`
    const response = await fetch(url, {
      method,
      headers: { authorization, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
      signal: AbortSignal.timeout(timeoutMs),
      ...(method === 'POST' ? { body: '{}' } : {}),
    }).catch((error: unknown) => {
      throw storeUnavailable(error)
    })
    // Google answers 400, 404 or 410 for tokens that were never valid or are no longer valid.
    if ([400, 404, 410].includes(response.status)) throw purchaseInvalid(`Google answered ${response.status}`)
    if (!response.ok) throw storeUnavailable(`Google answered ${response.status}`)
    return response
  }

  return {
    packageName,
    async read(purchaseToken) {
      const response = await ask(
        `${purchases}/subscriptionsv2/tokens/${encodeURIComponent(purchaseToken)}`,
        'GET',
      )
      const parsed = purchase.safeParse(await response.json())
      if (!parsed.success) throw storeUnavailable(parsed.error)
      return stateFrom(purchaseToken, parsed.data)
    },
    async acknowledge({ productId, purchaseToken }) {
      const tokenPath = `tokens/${encodeURIComponent(purchaseToken)}:acknowledge`
      await ask(`${purchases}/subscriptions/${encodeURIComponent(productId)}/${tokenPath}`, 'POST')
    },
    async readNotification(body, authorization) {
      const push = pushed.safeParse(jsonIn(body))
      if (!push.success) throw signatureInvalid(push.error)
      const { messageId, data } = push.data.message
      const sent = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? ''
      const options = {
        audience: settings.pushAudience,
        issuer: ['https://accounts.google.com', 'accounts.google.com'],
      }
      const { payload } = await jwtVerify(sent, keys, options).catch((error: unknown) => {
        const isNetwork =
          error instanceof Error && /JWKSTimeout|fetch|Expected 200/.test(`${error.name} ${error.message}`)
        throw isNetwork ? storeUnavailable(error) : signatureInvalid(error)
      })
      if (payload['email'] !== settings.pushEmail || payload['email_verified'] !== true)
        throw signatureInvalid()
      const parsed = notification.safeParse(jsonIn(Buffer.from(data, 'base64')))
      if (!parsed.success || parsed.data.packageName !== packageName) return null
      const { subscriptionNotification: changed, voidedPurchaseNotification: voided } = parsed.data
      const storeId = changed?.purchaseToken ?? voided?.purchaseToken
      return storeId ? { id: messageId, storeId } : null
    },
  }
}

/** Requests access tokens with a signed assertion (RFC 7523), and keeps each until a minute before its end. */
function createTokens(settings: GooglePlaySettings): () => Promise<string> {
  const { tokenUrl = 'https://oauth2.googleapis.com/token', clientEmail, privateKey, timeoutMs } = settings
  let kept: { token: string; untilMs: number } | undefined
  const answer = z.object({ access_token: z.string(), expires_in: z.number() })
  return async () => {
    if (kept && kept.untilMs > Date.now()) return kept.token
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(clientEmail)
      .setAudience(tokenUrl)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(await importPKCS8(privateKey, 'RS256'))
    try {
      const response = await fetch(tokenUrl, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const { access_token: token, expires_in: seconds } = answer.parse(await response.json())
      kept = { token, untilMs: Date.now() + (seconds - 60) * 1000 }
      return token
    } catch (error) {
      throw storeUnavailable(error)
    }
  }
}

function stateFrom(purchaseToken: string, found: z.output<typeof purchase>): StoreState {
  const ends = found.lineItems.map(({ expiryTime }) => (expiryTime ? Date.parse(expiryTime) : 0))
  const item = found.lineItems[ends.indexOf(Math.max(...ends))]
  const productId = item?.productId ?? ''
  if (!(storeProductIds as readonly string[]).includes(productId)) throw purchaseInvalid('unknown product')
  const isActive = activeStates.includes(found.subscriptionState)
  if (!isActive && !inactiveStates.includes(found.subscriptionState))
    throw storeUnavailable(`unknown state ${found.subscriptionState}`)
  const cancelTime = found.canceledStateContext?.userInitiatedCancellation?.cancelTime
  // A purchase that is not paid yet has no start and grants nothing.
  const isPending = found.subscriptionState.startsWith('SUBSCRIPTION_STATE_PENDING')
  const purchaseDate = new Date(found.startTime ?? Date.now())
  const expiryDate = isPending ? purchaseDate : new Date(Math.max(...ends))
  return {
    platform: 'android',
    storeId: purchaseToken,
    productId,
    accountId: found.externalAccountIdentifiers?.obfuscatedExternalAccountId ?? null,
    purchaseDate,
    expiryDate,
    isActive,
    autoRenewing: item?.autoRenewingPlan?.autoRenewEnabled ?? false,
    cancellationDate: cancelTime ? new Date(cancelTime) : null,
    // When Google takes a purchase back, it changes the expiry itself.
    endsAt: expiryDate,
    offer: item?.signupPromotion ? (item.signupPromotion.vanityCode?.promotionCode ?? 'one-time code') : null,
    needsAcknowledgement: found.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING',
    linkedToken: found.linkedPurchaseToken ?? null,
    isSandbox: found.testPurchase !== undefined,
    receipt: { state: found.subscriptionState, acknowledgement: found.acknowledgementState },
  }
}
