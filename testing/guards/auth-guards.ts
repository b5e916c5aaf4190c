import type { Guard } from './guard.ts'

const accounts = 'services/auth/test/accounts.sized.test.ts'
const pins = 'services/auth/test/numeric-password.sized.test.ts'
const users = 'services/auth/src/stores/user-store.ts'
const budget = 'services/auth/src/domain/unlock-budget.ts'
const budgetTest = 'services/auth/src/domain/unlock-budget.test.ts'
const budgetOnEngines = 'services/auth/test/unlock-budget.test.ts'
const phones = 'services/auth/src/stores/phone-verification-store.ts'
const signIn = 'services/auth/test/sign-in.test.ts'
const phoneCodes = 'services/auth/test/phone-codes.test.ts'
const discreet = 'services/auth/test/discreet-mode.test.ts'
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
    id: 'codes-per-number',
    invariant: 'Five codes an hour for a number, also when all are asked for at once',
    file: 'services/auth/src/stores/phone-code-limit-store.ts',
    cut: 'sent.length < limits.phoneCodesPerHour',
    leave: 'true',
    test: { file: phoneCodes, title: 'sends five of eight codes that are asked for at once' },
  },
  {
    id: 'sign-in-budget',
    invariant: 'Ten wrong passwords, then a pause, also when all come at once',
    file: 'services/auth/src/stores/sign-in-attempt-store.ts',
    cut: '{ $gte: [beyond, 0] }',
    leave: 'false',
    test: { file: signIn, title: 'reaches the comparison ten times' },
  },
  {
    id: 'discreet-while-locked',
    invariant: 'In discreet mode a locked session learns five fields',
    file: 'services/auth/src/domain/user.ts',
    cut: 'user.isDiscreet && !isSteppedUp(toSteps(session), now.getTime())',
    leave: 'false',
    test: { file: discreet, title: 'tells a locked session five fields' },
  },
  {
    id: 'step-up-for-discreet',
    invariant: 'The cookie of a locked session does not end discreet mode',
    file: 'services/auth/src/use-cases/set-discreet-mode.ts',
    cut: '!isSteppedUp(toSteps(session), now.getTime())',
    leave: 'false',
    test: { file: discreet, title: 'needs an unlock or a recent sign-in' },
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
    invariant: 'Ten wrong numbers in password mode, then a pause',
    file: budget,
    cut: 'explicitPause(before, sessionId, now) !== null',
    leave: 'false',
    test: { file: budgetTest, title: 'refuses the right entry while it lasts and admits it afterwards' },
  },
  {
    id: 'soft-budget',
    invariant: 'Twenty wrong silent checks a day',
    file: budget,
    cut: 'budget.soft < pinLimits.softPerDay',
    leave: 'true',
    test: { file: budgetTest, title: 'ends after twenty failures a day in all sessions' },
  },
  {
    id: 'clears-own-recent',
    invariant: 'A right number takes back only what its session mistyped just before',
    file: budget,
    cut: 'ageMs(at, now) <= pinLimits.clearsWithinMs',
    leave: 'true',
    test: { file: budgetTest, title: 'clears no older entry and none of another session' },
  },
  {
    id: 'pin-pace',
    invariant: 'A second passes after each wrong number',
    file: 'services/auth/src/domain/unlock-turn.ts',
    cut: 'now >= turn.freeAt && ',
    leave: '',
    test: {
      file: 'services/auth/src/domain/unlock-turn.test.ts',
      title: 'comes a second after a wrong entry',
    },
  },
  {
    id: 'one-turn-at-a-time',
    invariant: 'Replicas compare one PIN entry of an account at a time, and count each',
    file: 'services/auth/src/stores/unlock-budget-store.ts',
    cut: '{ _id: userId, version }',
    leave: '{ _id: userId }',
    test: {
      file: budgetOnEngines,
      title: 'compares at most one entry a second of many at once on two replicas',
    },
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
    id: 'lock-outlasts-waiting-unlock',
    invariant: 'A lock that was answered holds, also when an unlock was waiting',
    file: 'services/auth/src/stores/session-store.ts',
    cut: 'lockCount: seen.lockCount ?? null, ',
    leave: '',
    test: {
      file: 'services/auth/test/sessions.test.ts',
      title: 'is refused when a lock was asked for since its entry arrived, also of a locked session',
    },
  },
  {
    id: 'late-stamp',
    invariant: 'A change of a session that took long to be stored is told, too',
    file: 'services/auth/src/stores/session-store.ts',
    cut: 'before && clock.nowMs() - sentAtMs > times.storedWithinMs',
    leave: 'false',
    test: {
      file: 'services/auth/test/sessions.test.ts',
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
      file: 'services/auth/test/sessions.test.ts',
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
    id: 'uncompared-is-uncounted',
    invariant: 'A PIN entry that is turned away unread costs no try',
    file: 'services/auth/src/use-cases/check-pin.ts',
    cut: 'await settle(turn.ifNotCompared)',
    leave: '',
    test: { file: budgetOnEngines, title: 'gives a try back that could not be compared' },
  },
  {
    id: 'revoke-at-twenty',
    invariant: 'Twenty wrong numbers in password mode end the session',
    file: 'services/auth/src/use-cases/check-pin.ts',
    cut: 'if (turn.revokesIfWrong) await revokeSession(ctx, entry)',
    leave: '',
    test: { file: pins, title: 'the twentieth wrong number in password mode ends the session' },
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
