import 'reflect-metadata'
import { randomBytes, randomUUID, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import jwt from 'jsonwebtoken'
import { sendJson, startLocalServer } from './local-server.ts'

const day = 86_400_000
const bundleId = 'com.example.calculator'
const appAppleId = 1234567890
/** Apple marks its leaf and intermediate certificates by these extensions, which billing checks. */
const [leafMark, intermediateMark] = ['1.2.840.113635.100.6.11.1', '1.2.840.113635.100.6.2.1']
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

type Status = 1 | 2 | 3 | 4 | 5

type StoreEnvironment = 'Production' | 'Sandbox'

interface Subscription {
  environment: StoreEnvironment
  transactionId: string
  originalTransactionId: string
  productId: string
  appAccountToken?: string
  purchaseDate: number
  expiresDate: number
  gracePeriodExpiresDate?: number
  revocationDate?: number
  offerType?: number
  offerIdentifier?: string
  status: Status
  autoRenews: boolean
}

export interface AppStoreServer {
  /** Billing uses this server if its setting `APP_STORE` has this value. */
  readonly setting: string
  /** Billing has requested these ids, oldest first. */
  readonly reads: readonly string[]
  /** Creates a subscription, and returns the body that the app would send to the route `validateIos`. */
  purchase(options?: Partial<Subscription>): { receiptData: string; transactionId: string; productId: string }
  /** Changes a subscription, as time, the buyer or Apple would. */
  change(transactionId: string, change: Partial<Subscription>): void
  /** Hides a subscription from the Server API, although notifications about it can still be made. */
  forget(transactionId: string): string
  /** Returns a notification about this subscription in the form that Apple posts. */
  notification(
    transactionId: string,
    options?: { notificationUUID?: string; bundleId?: string },
  ): { signedPayload: string }
  /** Signs a payload by Apple's chain of certificates, by that of a stranger, or by an expired one. */
  sign(payload: object, by?: 'apple' | 'stranger' | 'expired'): string
  transactionOf(transactionId: string): object
  failWith: 'nothing' | 'error' | 'silence'
  close(): Promise<void>
}

/**
 * Plays Apple's part in a subscription: it signs transactions and notifications by a chain like Apple's, and serves the
 * App Store Server API. A server for `Production` serves the API of the sandbox below `/sandbox`, too.
 */
export async function startAppStoreServer(ofServer: StoreEnvironment = 'Sandbox'): Promise<AppStoreServer> {
  x509.cryptoProvider.set(webcrypto as never)
  const now = Date.now()
  const chains = {
    apple: await chainOf(new Date(now - 30 * day), new Date(now + 3650 * day)),
    stranger: await chainOf(new Date(now - 30 * day), new Date(now + 3650 * day)),
    expired: await chainOf(new Date(now - 400 * day), new Date(now - day)),
  }
  const apiKey = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const publicKey = x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('spki', apiKey.publicKey),
    'PUBLIC KEY',
  )
  const privateKey = x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', apiKey.privateKey),
    'PRIVATE KEY',
  )
  const subscriptions = new Map<string, Subscription>()
  const forgotten = new Set<string>()
  const reads: string[] = []
  const state = { failWith: 'nothing' as AppStoreServer['failWith'] }

  const sign: AppStoreServer['sign'] = (payload, by = 'apple') => {
    const { key, x5c } = chains[by]
    return jwt.sign(payload, key, { algorithm: 'ES256', header: { alg: 'ES256', x5c }, noTimestamp: true })
  }
  const found = (id: string): Subscription => {
    const one =
      subscriptions.get(id) ?? [...subscriptions.values()].find(({ transactionId }) => transactionId === id)
    if (!one)
      throw new Error(`The App Store server has no subscription ${id}. Create it by purchase() first.`)
    return one
  }
  const transactionOf = (id: string) => {
    const { status: _status, autoRenews: _renews, gracePeriodExpiresDate: _grace, ...transaction } = found(id)
    return {
      ...transaction,
      bundleId,
      type: 'Auto-Renewable Subscription',
      inAppOwnershipType: 'PURCHASED',
      originalPurchaseDate: transaction.purchaseDate,
      signedDate: Date.now(),
    }
  }
  const renewalOf = (id: string) => {
    const { originalTransactionId, productId, autoRenews, gracePeriodExpiresDate, environment } = found(id)
    return {
      originalTransactionId,
      productId,
      autoRenewProductId: productId,
      autoRenewStatus: autoRenews ? 1 : 0,
      environment,
      signedDate: Date.now(),
      ...(gracePeriodExpiresDate ? { gracePeriodExpiresDate } : {}),
    }
  }
  const answerTo = (path: string): [number, object] => {
    const [, folder, kind, id = ''] =
      /^(\/sandbox)?\/inApps\/v1\/(subscriptions|transactions)\/(\d+)/.exec(path) ?? []
    reads.push(id)
    const asked = ofServer === 'Production' && !folder ? 'Production' : 'Sandbox'
    const one = [...subscriptions.values()].find(
      ({ transactionId, originalTransactionId }) => transactionId === id || originalTransactionId === id,
    )
    if (!one || one.environment !== asked || forgotten.has(one.originalTransactionId))
      return [404, { errorCode: 4_040_010, errorMessage: 'Transaction id not found.' }]
    const signedTransactionInfo = sign(transactionOf(one.originalTransactionId))
    if (kind === 'transactions') return [200, { signedTransactionInfo }]
    const last = {
      originalTransactionId: one.originalTransactionId,
      status: one.status,
      signedTransactionInfo,
      signedRenewalInfo: sign(renewalOf(one.originalTransactionId)),
    }
    const group = { subscriptionGroupIdentifier: '1', lastTransactions: [last] }
    return [200, { environment: asked, bundleId, data: [group] }]
  }

  const server = await startLocalServer((request, response) => {
    if (state.failWith === 'silence') return
    const reply = (status: number, body: object) => sendJson(response, status, body)
    if (state.failWith === 'error') return reply(500, { errorCode: 5_000_000, errorMessage: 'down' })
    try {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
      jwt.verify(token, publicKey, {
        algorithms: ['ES256'],
        audience: 'appstoreconnect-v1',
        issuer: 'issuer-1',
      })
    } catch {
      return reply(401, {})
    }
    reply(...answerTo(request.url ?? ''))
  })

  return Object.assign(state, {
    setting: JSON.stringify({
      bundleId,
      issuerId: 'issuer-1',
      keyId: 'key-1',
      privateKey,
      environment: ofServer,
      ...(ofServer === 'Production' ? { appAppleId } : {}),
      rootCertificates: [chains.apple.root, chains.expired.root],
      apiUrl: server.url,
    }),
    reads,
    purchase(options = {}) {
      const id = String(2_000_000_000_000_000 + randomBytes(6).readUIntBE(0, 6))
      const one: Subscription = {
        environment: ofServer,
        transactionId: id,
        originalTransactionId: id,
        productId: 'premium_yearly',
        purchaseDate: Date.now(),
        expiresDate: Date.now() + 365 * day,
        status: 1,
        autoRenews: true,
        ...options,
      }
      subscriptions.set(one.originalTransactionId, one)
      const { transactionId, productId } = one
      return { receiptData: sign(transactionOf(one.originalTransactionId)), transactionId, productId }
    },
    forget(transactionId) {
      forgotten.add(found(transactionId).originalTransactionId)
      return transactionId
    },
    change: (transactionId, change) => void Object.assign(found(transactionId), change),
    notification: (transactionId, { notificationUUID = randomUUID(), bundleId: bundle = bundleId } = {}) => ({
      signedPayload: sign({
        notificationType: 'DID_RENEW',
        notificationUUID,
        version: '2.0',
        signedDate: Date.now(),
        data: {
          bundleId: bundle,
          appAppleId,
          environment: found(transactionId).environment,
          signedTransactionInfo: sign(transactionOf(transactionId)),
          signedRenewalInfo: sign(renewalOf(transactionId)),
        },
      }),
    }),
    sign,
    transactionOf,
    close: server.close,
  } satisfies Omit<AppStoreServer, 'failWith'>)
}

/**
 * Creates a root, an intermediate and a leaf certificate. Returns the root, the leaf's key, and the chain in the form of
 * a JWS header.
 */
async function chainOf(notBefore: Date, notAfter: Date) {
  const [root, intermediate, leaf] = await Promise.all(
    ['Root', 'Intermediate', 'Leaf'].map(async (name) => ({
      name: `CN=Test ${name}`,
      keys: await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']),
    })),
  )
  if (!root || !intermediate || !leaf) throw new Error('A chain needs three certificates.')
  const issue = (subject: typeof root, issuer: typeof root, mark?: string) =>
    x509.X509CertificateGenerator.create({
      serialNumber: randomBytes(8).toString('hex').replace(/^./, '1'),
      subject: subject.name,
      issuer: issuer.name,
      notBefore,
      notAfter,
      signingAlgorithm: algorithm,
      publicKey: subject.keys.publicKey,
      signingKey: issuer.keys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(subject !== leaf, undefined, true),
        ...(mark ? [new x509.Extension(mark, false, new Uint8Array([5, 0]))] : []),
      ],
    })
  const certificates = await Promise.all([
    issue(leaf, intermediate, leafMark),
    issue(intermediate, root, intermediateMark),
    issue(root, root),
  ])
  const key = await webcrypto.subtle.exportKey('pkcs8', leaf.keys.privateKey)
  const x5c = certificates.map((certificate) => Buffer.from(certificate.rawData).toString('base64'))
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), x5c, root: x5c[2] ?? '' }
}
