/** One line of the product, and the test on real engines that has to fail without it. */
export interface Guard {
  /** Stands in the code as `// guard: <id>` above the line. */
  id: string
  file: string
  /** The first occurrence after the comment is replaced. */
  cut: string
  /** What replaces it; nothing when left out. */
  leave?: string
  /** The title of the test, or a part of it. */
  title: string
}

/**
 * The guards whose loss would leak, lose or double something, by the file of their test. A new one takes the place of
 * another: there are at most 40. Everything else is for `npm run test:mutants`.
 */
export const guardsByTest: Readonly<Record<string, readonly Guard[]>> = {
  'testing/system/part-down.full.test.ts': [
    {
      id: 'durable-write',
      file: 'services/messaging/src/infrastructure/group-commit.ts',
      cut: "await collection.insertMany(records, { ordered: false, writeConcern: { w: 'majority', j: true } })",
      leave:
        'await collection.insertMany(records, { ordered: false, writeConcern: { w: 1, j: false } } as never)',
      title: 'nothing is half done while MongoDB',
    },
    {
      id: 'kafka-carries',
      file: 'services/realtime/src/consumers/message-sent.ts',
      cut: "deliver('kafka', data)",
      leave: 'void data',
      title: 'messages are stored and come over the socket while Redis',
    },
    {
      id: 'unlock-required',
      file: 'services/gateway/src/pipeline/authenticate.ts',
      cut: 'if (refused)',
      leave: 'if (refused && identity.sid === "")',
      title: '503 in time while messaging',
    },
  ],
  'services/messaging/test/parallel-sends.test.ts': [
    {
      id: 'stored-once',
      file: 'services/messaging/src/migrations.ts',
      cut: 'unique: true',
      leave: 'unique: false',
      title: 'stores one message sent 20 times under one clientMessageId',
    },
    {
      id: 'dense-order',
      file: 'services/messaging/src/domain/message.ts',
      cut: "`${conversationId}:${String(seq).padStart(seqDigits, '0')}`",
      leave: "`${conversationId}:${String(seq).padStart(seqDigits, '0')}${Math.random()}`",
      title: 'numbers 200 from either side without a hole',
    },
  ],
  'testing/system/free-limit.test.ts': [
    {
      id: 'one-slot-a-day',
      file: 'services/messaging/src/migrations.ts',
      cut: 'unique: true',
      leave: 'unique: false',
      title: 'stores exactly one of a hundred first messages',
    },
  ],
  'services/messaging/test/conversations.test.ts': [
    {
      id: 'members-only',
      file: 'services/messaging/src/use-cases/members-of.ts',
      cut: 'if (!memberIds?.includes(callerId)) throw conversationNotFound()',
      leave: 'if (!memberIds) throw conversationNotFound()',
      title: 'learns of a conversation no more than of one that does not exist',
    },
    {
      id: 'members-read',
      file: 'services/messaging/src/use-cases/list-messages.ts',
      cut: 'if (!conversation?.memberIds.includes(input.userId)) throw',
      leave: 'if (!conversation) throw',
      title: 'learns of a conversation no more than of one',
    },
    {
      id: 'one-per-pair',
      file: 'services/messaging/src/migrations.ts',
      cut: 'unique: true',
      leave: 'unique: false',
      title: 'makes one conversation of many that both sides open at once',
    },
    {
      id: 'cleared-is-gone',
      file: 'services/messaging/src/use-cases/list-messages.ts',
      cut: '.filter((record) => record.seq > cleared)',
      title: 'is without what the reader cleared',
    },
  ],
  'services/messaging/test/after-a-crash.test.ts': [
    {
      id: 'message-sweeper',
      file: 'services/messaging/src/infrastructure/message-publisher.ts',
      cut: 'const left = await messages.unpublishedBefore(limit, sweepBatch)',
      leave: 'const left: MessageRecord[] = []',
      title: 'announces every stored message',
    },
  ],
  'services/notify/test/refusals.test.ts': [
    {
      id: 'notice-told-twice',
      file: 'services/notify/src/consumers/notices.ts',
      cut: '_id: data.noticeId,',
      leave: '_id: `${data.noticeId}${Math.random()}`,',
      title: 'delivers a notice once when Kafka delivers its event twice',
    },
  ],
  'services/billing/test/grants.test.ts': [
    {
      id: 'grant-once',
      file: 'services/billing/src/use-cases/grant-premium.ts',
      cut: 'const grant: Grant = { _id: grantId,',
      leave: 'const grant: Grant = { _id: randomUUID(),',
      title: 'makes one grant of 10 concurrent requests',
    },
    {
      id: 'ledger-turns',
      file: 'services/billing/src/use-cases/grant-premium.ts',
      cut: 'const version = await ctx.ledger.bump(userId, session)',
      leave: 'const version = Date.now()',
      title: 'adds up 10 concurrent grants over two replicas',
    },
  ],
  'libs/bus/test/outbox.test.ts': [
    {
      id: 'outbox-in-transaction',
      file: 'libs/bus/src/outbox.ts',
      cut: ', { session }',
      title: 'publishes nothing of a transaction that was rolled back',
    },
    {
      id: 'outbox-sweeper',
      file: 'libs/bus/src/outbox.ts',
      cut: 'return publishOlderThan(new Date(clock.now().getTime() - leaveMs))',
      leave: 'return Promise.resolve()',
      title: 'publishes events that a crashed process left behind',
    },
    {
      id: 'outbox-keeps-unsaid',
      file: 'libs/bus/src/outbox.ts',
      cut: '{ publishedAt: { $lt: new Date(now.getTime() - keepDays * 86_400_000) } }',
      leave: '{}',
      title: 'removes events published a week ago',
    },
  ],
  'libs/bus/test/consume.test.ts': [
    {
      id: 'dead-letter',
      file: 'libs/bus/src/settle-event.ts',
      cut: 'await deadLetter(topic, partition, message, error)',
      title: 'sends an event that cannot be handled to the dead-letter topic',
    },
    {
      id: 'try-for-ever',
      file: 'libs/bus/src/settle-event.ts',
      cut: "if (toAppError(error).kind === 'unavailable') throw error",
      title: 'retries an event while a dependency is away',
    },
    {
      id: 'offset-after-effect',
      file: 'libs/bus/src/subscribe.ts',
      cut: 'resolveOffset(message.offset)',
      title: 'finishes the present event when it is stopped',
    },
  ],
  'services/gateway/test/door.test.ts': [
    {
      id: 'header-hygiene',
      file: 'services/gateway/src/pipeline/upstream-request.ts',
      cut: '.filter(([name]) => keep.has(name))',
      title: 'is all that a service receives',
    },
    {
      id: 'csrf-token',
      file: 'services/gateway/src/pipeline/csrf.ts',
      cut: 'if (!validateRequest(request)) throw refused()',
      title: ' is refused and changes nothing',
    },
    {
      id: 'own-origin',
      file: 'services/gateway/src/pipeline/csrf.ts',
      cut: 'if (origin !== undefined && !config.PUBLIC_ORIGINS.includes(origin)) throw crossSite()',
      title: ' is refused and changes nothing',
    },
  ],
  'testing/system/access-matrix.test.ts': [
    {
      id: 'session-required',
      file: 'services/gateway/src/pipeline/authenticate.ts',
      cut: 'if (!identity) throw noSession()',
      title: ' answers as the access table says',
    },
  ],
  'testing/system/revocation.test.ts': [
    {
      id: 'forget-what-changed',
      file: 'services/gateway/src/pipeline/proxy.ts',
      cut: 'sessionChanges.has(upstream.route)',
      leave: 'false',
      title: 'is in force in the very next request of the device that made it',
    },
    {
      id: 'forget-on-hint',
      file: 'services/gateway/src/context.ts',
      cut: 'if (parsed.success) sessions.forgetSession(parsed.data.sid)',
      title: 'locks that follow each other are each in force',
    },
    {
      id: 'recheck-changed',
      file: 'services/realtime/src/main.ts',
      cut: 'sockets?.recheck(sids)',
      leave: 'undefined',
      title: 'is in force everywhere within five seconds, without Redis',
    },
  ],
  'testing/system/lock.test.ts': [
    {
      id: 'locked-socket',
      file: 'services/realtime/src/handshake.ts',
      cut: "if (present.identity.unlockedUntilMs <= ctx.clock.nowMs()) return { refusal: 'locked' }",
      title: 'answers 423 on every guarded route and refuses the socket',
    },
  ],
  'testing/system/bad-input.sized.test.ts': [
    {
      id: 'checked-input',
      file: 'libs/service-kit/src/bind-route.ts',
      cut: 'if (parsed.success) return parsed.data',
      leave: 'if (parsed.success || value) return value',
      title: 'refuses every bad request of every route',
    },
  ],
  'services/auth/test/sessions.test.ts': [
    {
      id: 'lock-outlasts-waiting-unlock',
      file: 'services/auth/src/stores/session-store.ts',
      cut: 'lockCount: seen.lockCount ?? null, ',
      title: 'is refused when a lock was requested after its entry arrived, also for a locked session',
    },
  ],
  'services/auth/test/accounts.test.ts': [
    {
      id: 'revoked-is-dead',
      file: 'services/auth/src/stores/session-store.ts',
      cut: 'revokedAt: null, expiresAt',
      leave: 'expiresAt',
      title: 'replaces the session at a new sign-in, and ends it at logout',
    },
    {
      id: 'proof-of-this-phone',
      file: 'services/auth/src/stores/phone-verification-store.ts',
      cut: 'phone,',
      title: 'refuses a registration without a proof of exactly this phone',
    },
  ],
  'services/auth/test/guesses.sized.test.ts': [
    {
      id: 'phone-guesses',
      file: 'services/auth/src/stores/phone-verification-store.ts',
      cut: 'guesses: trusted({ $lt: limits.phoneCodeMaxGuesses }),',
      title: 'refuses the right phone code after',
    },
  ],
  'services/auth/test/unlock-budget.test.ts': [
    {
      id: 'one-turn-at-a-time',
      file: 'services/auth/src/stores/unlock-budget-store.ts',
      cut: 'return false',
      leave: 'return true',
      title: 'compares at most one entry a second of many at once on two replicas',
    },
  ],
  'services/auth/test/numeric-password.test.ts': [
    {
      id: 'revoke-at-twenty',
      file: 'services/auth/src/use-cases/check-pin.ts',
      cut: 'if (turn.revokesIfWrong) await revokeSession(ctx, entry)',
      title: 'ends the session at the twentieth wrong number in password mode',
    },
    {
      id: 'probe-unlocks-nothing',
      file: 'services/auth/src/routes/lock-routes.ts',
      cut: "if (body.intent === 'probe') return probePin(ctx, entry)",
      title: 'a probe recognises the right number twice',
    },
  ],
  'services/auth/test/sign-in.test.ts': [
    {
      id: 'sign-in-budget',
      file: 'services/auth/src/stores/sign-in-attempt-store.ts',
      cut: '{ $gte: [beyond, 0] }',
      leave: 'false',
      title: 'is compared ten times',
    },
  ],
  'services/auth/test/discreet-mode.test.ts': [
    {
      id: 'discreet-while-locked',
      file: 'services/auth/src/domain/user.ts',
      cut: 'user.isDiscreet && !isSteppedUp(toSteps(session), now.getTime())',
      leave: 'false',
      title: 'shows a locked session five fields',
    },
  ],
}

/** The source without the guarded line. Throws when the comment or the line is missing. */
export function withoutGuard(source: string, { id, file, cut, leave = '' }: Guard): string {
  const comment = source.indexOf(`// guard: ${id}\n`)
  const from = source.indexOf(cut, comment)
  if (comment < 0 || from < 0) throw new Error(`${file} has no "// guard: ${id}" followed by: ${cut}`)
  return source.slice(0, from) + leave + source.slice(from + cut.length)
}
