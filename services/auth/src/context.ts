import { createHmac, createPrivateKey } from 'node:crypto'
import { openBus, openOutbox } from '@sumlock/bus/service-bus'
import { redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { SessionInvalidated } from '@sumlock/contracts/redis-channels'
import { createAdminActionStore } from '@sumlock/service-kit/admin-actions'
import { backlogCountedTo, measureBacklog } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { createHintPublisher } from '@sumlock/service-kit/hint-publisher'
import { createSecurityEvents } from '@sumlock/service-kit/security-events'
import { openDatabase } from '@sumlock/service-kit/open-database'
import { createServiceBase, internalClient, openRedis } from '@sumlock/service-kit/service-base'
import type { Config } from './config.ts'
import { createBackgroundWork } from './infrastructure/background-work.ts'
import { createHashQueue } from './infrastructure/hash-queue.ts'
import { createKeyShares } from './infrastructure/key-shares.ts'
import { createPasswordHashing } from './infrastructure/password-hashing.ts'
import { createPinHashing } from './infrastructure/pin-hashing.ts'
import { createTokenSigner } from './infrastructure/token-signer.ts'
import { createTryCap } from './infrastructure/try-cap.ts'
import type { User } from './domain/user.ts'
import { createAuthMetrics } from './metrics.ts'
import { migrations } from './migrations.ts'
import { createAdministeredUserStore } from './stores/administered-user-store.ts'
import { createKnownKeyStore } from './stores/known-key-store.ts'
import { createMailLinkStore } from './stores/mail-link-store.ts'
import { createMailRequestStore } from './stores/mail-request-store.ts'
import { createPasswordGuessStore } from './stores/password-guess-store.ts'
import { createPendingResetStore } from './stores/pending-reset-store.ts'
import { createPhoneVerificationStore } from './stores/phone-verification-store.ts'
import { createPurgedIdStore } from './stores/purged-id-store.ts'
import { createRetiredCodeStore } from './stores/retired-code-store.ts'
import { createSendLimitStore } from './stores/send-limit-store.ts'
import { createSessionStore } from './stores/session-store.ts'
import { createSignInAttemptStore } from './stores/sign-in-attempt-store.ts'
import { createUnlockBudgetStore } from './stores/unlock-budget-store.ts'
import { createUserKeyStore } from './stores/user-key-store.ts'
import { createUserStore } from './stores/user-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Creates the parts of auth and connects them; resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = createServiceBase(config, 'auth')
  const { clock } = base
  const connection = await openDatabase(base, migrations)
  const redis = openRedis(base)
  const bus = openBus(base)
  const outbox = openOutbox(base, { bus, connection })
  const messaging = internalClient(base, config.MESSAGING_INTERNAL_URL)
  const metrics = createAuthMetrics(base.metrics)
  const hints = createHintPublisher(redis, metrics.registry)
  const mailRequests = createMailRequestStore(connection)
  measureBacklog({
    registry: metrics.registry,
    name: 'mail_request',
    clock,
    readers: { mails: () => mailRequests.backlog(backlogCountedTo) },
  })
  const hashing = createHashQueue(metrics.hashing)
  metrics.measureHashQueue(hashing)
  const background = createBackgroundWork(base.logger)
  base.onClose(background.settled)

  const users = createUserStore(connection)

  return {
    ...base,
    bus,
    metrics,
    connection,
    outbox,
    messaging,
    background,
    security: createSecurityEvents({
      registry: metrics.registry,
      logger: base.logger,
      key: config.CODE_PEPPER,
    }),
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, clock, 'auth'),
    tokens: createTokenSigner(createPrivateKey(config.TOKEN_PRIVATE_KEY), config.TOKEN_KID),
    users,
    usernamesOf: users.usernamesOf,
    administeredUsers: createAdministeredUserStore(connection),
    userKeys: createUserKeyStore(connection),
    knownKeys: createKnownKeyStore(connection),
    unlockBudgets: createUnlockBudgetStore(connection),
    tryCap: createTryCap(),
    sessions: createSessionStore(connection, clock),
    phoneVerifications: createPhoneVerificationStore(connection),
    adminActions: createAdminActionStore(connection),
    mailLinks: createMailLinkStore(connection),
    mailRequests,
    sendLimits: createSendLimitStore(connection),
    retiredCodes: createRetiredCodeStore(connection),
    purgedIds: createPurgedIdStore(connection),
    pendingResets: createPendingResetStore(connection),
    passwordGuesses: createPasswordGuessStore(connection),
    signInAttempts: createSignInAttemptStore(connection),
    passwords: await createPasswordHashing(config.BCRYPT_COST),
    /** Runs work that hashes a password, or throws 429 before the work starts. */
    limitHashing: hashing.run,
    pins: createPinHashing(config.PIN_PEPPER),
    keyShares: createKeyShares(config.KEY_SHARE_SECRETS),
    codeMac: (proofId: string, code: string) => hmac(config.CODE_PEPPER, `${proofId}:${code}`),
    /** Returns the key for unsent messages. Each reset of the app changes it, so that older unsent text cannot be opened. */
    outboxKey: ({ _id, resetAt }: Pick<User, '_id' | 'resetAt'>) =>
      hmac(config.OUTBOX_KEY_SECRET, resetAt ? `${_id}:${resetAt.toISOString()}` : _id),
    /** Publishes the change of a session to gateways and sockets. Without this hint, the change reaches them within 5 s. */
    publishInvalidation: (message: SessionInvalidated) => {
      const channel = redisChannel(config.SUMLOCK_NAMESPACE, sessionInvalidated.channel)
      void hints.publish(channel, JSON.stringify(message))
    },
  }
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64')
