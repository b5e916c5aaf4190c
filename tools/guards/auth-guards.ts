import type { Guard } from './guard.ts'

const accounts = 'services/auth/test/accounts.sized.test.ts'
const pins = 'services/auth/test/numeric-password.sized.test.ts'
const users = 'services/auth/src/stores/user-store.ts'
const phones = 'services/auth/src/stores/phone-verification-store.ts'
const config = 'services/auth/src/config.ts'
const configTest = 'services/auth/src/config.test.ts'
const migrations = 'services/auth/src/migrations.ts'

/** Accounts, phone codes, numeric passwords and sessions. */
export const authGuards: readonly Guard[] = [
  {
    id: 'half-a-life-left',
    invariant: 'A token that is handed out lasts half a minute at least',
    file: 'services/auth/src/domain/token-signer.ts',
    cut: 'earlier && earlier.expiresAt.getTime() - now.getTime() > halfLifeMs',
    leave: 'earlier',
    test: { file: 'services/auth/src/domain/token-signer.test.ts', title: 'hands out the same token again' },
  },
  {
    id: 'phone-guesses',
    invariant: 'A phone code is over after five guesses, also when all come at once',
    file: phones,
    cut: 'guesses: trusted({ $lt: limits.phoneCodeMaxGuesses }),',
    leave: '',
    test: { file: accounts, title: 'refuses the right code after' },
  },
  {
    id: 'proof-of-this-phone',
    invariant: 'Nobody registers with a number that was not proved',
    file: phones,
    cut: 'phone,',
    leave: '',
    test: { file: accounts, title: 'registers nobody without a proof of exactly this phone' },
  },
  {
    id: 'proof-once',
    invariant: 'A proof of a phone makes one account',
    file: phones,
    cut: 'usedAt: null,',
    leave: '',
    test: { file: accounts, title: 'registers nobody without a proof of exactly this phone' },
  },
  {
    id: 'unique-username',
    invariant: 'A username belongs to one person, whatever its case',
    file: migrations,
    cut: 'unique: true',
    leave: 'unique: false',
    test: { file: accounts, title: 'a name or address that is taken is refused' },
  },
  {
    id: 'pin-set-once',
    invariant: 'Of set-ups at once one wins',
    file: users,
    cut: '{ _id: id, pinHash: null }',
    leave: '{ _id: id }',
    test: { file: pins, title: 'of set-ups at once one wins' },
  },
  {
    id: 'explicit-budget',
    invariant: 'Ten wrong numbers in password mode, then a pause, also when all come at once',
    file: users,
    cut: '{ _id: id, pausedUntil: trusted({ $not: { $gt: now } }) }',
    leave: '{ _id: id }',
    test: { file: pins, title: 'explicit wrong tries at once' },
  },
  {
    id: 'soft-budget',
    invariant: 'Sixty wrong silent checks a day, also when all come at once',
    file: users,
    cut: 'trusted({ $lt: limits.softFailuresPerDay })',
    leave: 'trusted({ $lt: 1e9 })',
    test: { file: pins, title: 'silent wrong tries at once' },
  },
  {
    id: 'silent-for-ever',
    invariant: 'After the third silent hit the calculator never hints again',
    file: users,
    cut: 'silentHits: trusted({ $lt: limits.hintAfterCorrectEntries })',
    leave: 'silentHits: trusted({ $lt: 1e9 })',
    test: { file: pins, title: 'of ten right probes at once three are told so' },
  },
  {
    id: 'revoked-is-dead',
    invariant: 'A session that was ended opens nothing',
    file: 'services/auth/src/stores/session-store.ts',
    cut: 'revokedAt: null, expiresAt',
    leave: 'expiresAt',
    test: { file: accounts, title: 'a new sign-in replaces the session, and logging out ends it' },
  },
  {
    id: 'late-stamp',
    invariant: 'A change of a session that took long to be stored is told, too',
    file: 'services/auth/src/stores/session-store.ts',
    cut: 'before && clock.nowMs() - sentAtMs > times.storedWithinMs',
    leave: 'false',
    test: {
      file: 'services/auth/test/session-changes.test.ts',
      title: 'names a change that took longer to be stored than answers look back',
    },
  },
  {
    id: 'look-back',
    invariant: 'A change of a session that was stored after a question was answered is told by the next',
    file: 'services/auth/src/stores/session-store.ts',
    cut: 'since.getTime() - times.lookBackMs',
    leave: 'since.getTime()',
    test: {
      file: 'services/auth/test/session-changes.test.ts',
      title: 'names a change that was stored after a later question had been answered',
    },
  },
  {
    id: 'hash-queue',
    invariant: 'A storm of sign-ins is refused, not queued for ever',
    file: 'services/auth/src/domain/hash-queue.ts',
    cut: 'if (active >= concurrency && queue.size >= capacity) throw refusal()',
    leave: '',
    test: {
      file: 'services/auth/src/domain/hash-queue.test.ts',
      title: 'runs no more jobs at once than allowed',
    },
  },
  {
    id: 'turn-in-time',
    invariant: 'Who waits for the hash of a password is answered before the gateway gives up',
    file: 'services/auth/src/domain/hash-queue.ts',
    cut: 'setTimeout(giveUp, waitAtMostMs)',
    leave: 'setTimeout(giveUp, 60_000)',
    test: {
      file: 'services/auth/src/domain/hash-queue.test.ts',
      title: 'turns away whose turn does not come in time',
    },
  },
  {
    id: 'turn-before-try',
    invariant: 'A PIN entry that is turned away unread costs no try',
    file: 'services/auth/src/use-cases/check-pin.ts',
    cut: 'ctx.inTurn(async () => {',
    leave: '((work: () => Promise<void>) => work())(async () => {',
    test: {
      file: 'services/auth/src/use-cases/check-pin.test.ts',
      title: 'that a full hash queue turns away costs no try',
    },
  },
  {
    id: 'revoke-at-hundred',
    invariant: 'A hundred wrong numbers in password mode end the session',
    file: 'services/auth/src/use-cases/check-pin.ts',
    cut: 'if (user && user.explicitFailures >= limits.explicitRevokeAfterFailures) await revokeSession(ctx, entry)',
    leave: '',
    test: {
      file: 'services/auth/src/use-cases/check-pin.test.ts',
      title: 'ends the session everywhere, and says no more than the others',
    },
  },
  {
    id: 'slow-hash',
    invariant: 'Outside of tests a hash costs a thief what it should',
    file: config,
    cut: 'env.BCRYPT_COST >= 10',
    leave: 'true',
    test: { file: configTest, title: 'cannot be less in mode' },
  },
  {
    id: 'no-demo-code',
    invariant: 'In production a phone code is known to the phone only',
    file: 'services/auth/src/routes/account-routes.ts',
    cut: "ctx.config.SHOW_PHONE_CODE === 'on'",
    leave: 'ctx.config',
    test: {
      file: 'services/auth/src/routes/account-routes.test.ts',
      title: 'is in no answer where it is not to be shown',
    },
  },
  {
    id: 'no-open-demo-code',
    invariant: 'A product that others may open shows no phone code',
    file: 'services/auth/src/config.ts',
    cut: "if (SUMLOCK_MODE !== 'local' || SHOW_PHONE_CODE === 'off' || open === undefined) return",
    leave: 'if (open !== SUMLOCK_MODE) return',
    test: { file: 'services/auth/src/config.test.ts', title: 'is refused, naming the setting to give' },
  },
]
