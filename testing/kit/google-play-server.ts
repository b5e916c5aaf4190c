import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { text as readText } from 'node:stream/consumers'
import jwt from 'jsonwebtoken'
import { sendJson, startLocalServer } from './local-server.ts'

const day = 86_400_000
const packageName = 'com.example.calculator'
const [pushAudience, pushEmail] = ['https://calculator.example/push', 'push@project.iam.gserviceaccount.com']

interface Subscription {
  productId: string
  subscriptionState: string
  startTime: string
  expiryTime: string
  autoRenewEnabled: boolean
  acknowledgementState: string
  linkedPurchaseToken?: string
  obfuscatedExternalAccountId?: string
  signupPromotion?: object
  testPurchase?: object
  canceledStateContext?: { userInitiatedCancellation: { cancelTime: string } }
}

export interface GooglePlayServer {
  /** Billing uses this server if its setting `GOOGLE_PLAY` has this value. */
  readonly setting: string
  /** Billing has requested these purchase tokens, oldest first. */
  readonly reads: readonly string[]
  /** Billing has acknowledged these purchase tokens, oldest first. */
  readonly acknowledged: readonly string[]
  /** Creates a subscription, and returns the body that the app would send to the route `validateAndroid`. */
  purchase(options?: Partial<Subscription>): { packageName: string; productId: string; purchaseToken: string }
  change(purchaseToken: string, change: Partial<Subscription>): void
  /**
   * Returns a push of Pub/Sub about this purchase, and its Authorization header. `voided` reports that Google gave the
   * money back.
   */
  notification(
    purchaseToken: string,
    options?: {
      messageId?: string
      audience?: string
      email?: string
      key?: 'google' | 'stranger'
      kind?: 'changed' | 'voided'
    },
  ): { body: object; authorization: string }
  failWith: 'nothing' | 'error' | 'silence' | 'no acknowledgement'
  close(): Promise<void>
}

/**
 * Plays Google's part in a subscription: it serves the token endpoint, the Developer API and Google's keys, and makes
 * pushes of Pub/Sub.
 */
export async function startGooglePlayServer(): Promise<GooglePlayServer> {
  const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [account, google, stranger] = [pair(), pair(), pair()]
  const subscriptions = new Map<string, Subscription>()
  const acknowledged: string[] = []
  const reads: string[] = []
  const accessToken = randomBytes(16).toString('hex')
  const state = { failWith: 'nothing' as GooglePlayServer['failWith'] }
  const kid = 'google-1'
  const purchases = `/androidpublisher/v3/applications/${packageName}/purchases`

  const viewOf = ({ productId, expiryTime, autoRenewEnabled, signupPromotion, ...rest }: Subscription) => {
    const { obfuscatedExternalAccountId, startTime, ...purchase } = rest
    // Google sets the start time when the purchase is paid.
    const isPending = purchase.subscriptionState === 'SUBSCRIPTION_STATE_PENDING'
    const item = { productId, expiryTime, autoRenewingPlan: { autoRenewEnabled }, signupPromotion }
    return {
      kind: 'androidpublisher#subscriptionPurchaseV2',
      ...purchase,
      ...(isPending ? {} : { startTime }),
      externalAccountIdentifiers: { obfuscatedExternalAccountId },
      lineItems: [item],
    }
  }
  const tokenFor = (form: URLSearchParams): [number, object] => {
    try {
      jwt.verify(form.get('assertion') ?? '', account.publicKey, { algorithms: ['RS256'], issuer: pushEmail })
      return [200, { access_token: accessToken, expires_in: 3600, token_type: 'Bearer' }]
    } catch {
      return [400, { error: 'invalid_grant' }]
    }
  }
  const answerTo = (path: string): [number, object] => {
    const [, token = ''] = /\/tokens\/([^/:]+)/.exec(path) ?? []
    const one = subscriptions.get(decodeURIComponent(token))
    if (!one) return [400, { error: { code: 400, message: 'The purchase token is not valid.' } }]
    if (!path.endsWith(':acknowledge')) {
      reads.push(token)
      return [200, viewOf(one)]
    }
    if (state.failWith === 'no acknowledgement') return [503, {}]
    one.acknowledgementState = 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED'
    acknowledged.push(token)
    return [200, {}]
  }

  const server = await startLocalServer((request, response) => {
    const path = request.url ?? ''
    const reply = (status: number, body: object) => sendJson(response, status, body)
    if (state.failWith === 'silence') return
    if (state.failWith === 'error') return reply(500, {})
    if (path === '/certs')
      return reply(200, {
        keys: [{ ...google.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }],
      })
    if (path === '/token')
      return void readText(request).then((form) => reply(...tokenFor(new URLSearchParams(form))))
    if (request.headers.authorization !== `Bearer ${accessToken}`) return reply(401, {})
    if (!path.startsWith(purchases)) return reply(404, {})
    reply(...answerTo(path))
  })
  const { url } = server

  return Object.assign(state, {
    setting: JSON.stringify({
      packageName,
      clientEmail: pushEmail,
      privateKey: account.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      pushAudience,
      pushEmail,
      apiUrl: url,
      tokenUrl: `${url}/token`,
      certsUrl: `${url}/certs`,
    }),
    acknowledged,
    reads,
    purchase(options = {}) {
      const purchaseToken = randomBytes(24).toString('hex')
      const one: Subscription = {
        productId: 'premium_yearly',
        subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
        startTime: new Date().toISOString(),
        expiryTime: new Date(Date.now() + 365 * day).toISOString(),
        autoRenewEnabled: true,
        acknowledgementState: 'ACKNOWLEDGEMENT_STATE_PENDING',
        ...options,
      }
      subscriptions.set(purchaseToken, one)
      return { packageName, productId: one.productId, purchaseToken }
    },
    change(purchaseToken, change) {
      const one = subscriptions.get(purchaseToken)
      if (!one)
        throw new Error(
          `The Google Play server has no purchase ${purchaseToken}. Create it by purchase() first.`,
        )
      Object.assign(one, change)
    },
    notification(purchaseToken, options = {}) {
      const {
        messageId = randomBytes(8).toString('hex'),
        audience = pushAudience,
        email = pushEmail,
      } = options
      const changed = { version: '1.0', notificationType: 2, purchaseToken, subscriptionId: 'premium_yearly' }
      const voided = { purchaseToken, orderId: 'GPA.1', productType: 1, refundType: 1 }
      const data = {
        version: '1.0',
        packageName,
        eventTimeMillis: String(Date.now()),
        ...(options.kind === 'voided'
          ? { voidedPurchaseNotification: voided }
          : { subscriptionNotification: changed }),
      }
      const { privateKey } = options.key === 'stranger' ? stranger : google
      const token = jwt.sign({ email, email_verified: true }, privateKey, {
        algorithm: 'RS256',
        keyid: kid,
        audience,
        issuer: 'https://accounts.google.com',
        expiresIn: '1h',
      })
      const message = { messageId, data: Buffer.from(JSON.stringify(data)).toString('base64') }
      return {
        body: { message, subscription: 'projects/p/subscriptions/s' },
        authorization: `Bearer ${token}`,
      }
    },
    close: server.close,
  } satisfies Omit<GooglePlayServer, 'failWith'>)
}
