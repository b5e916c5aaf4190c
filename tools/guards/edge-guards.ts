import type { Guard } from './guard.ts'

const door = 'services/gateway/test/door.test.ts'
const lock = 'services/gateway/test/lock.test.ts'
const revocation = 'services/gateway/test/revocation.test.ts'
const partDown = 'services/gateway/test/part-down.full.test.ts'
const csrf = 'services/gateway/src/csrf.ts'
const app = 'services/gateway/src/app.ts'
const handshake = 'services/realtime/src/handshake.ts'
const routes = 'libs/service-kit/src/bind-route.test.ts'

/** Who gets in: the door of the gateway, the guard of every service, sockets, lock and revocation. */
export const edgeGuards: readonly Guard[] = [
  {
    id: 'remembered-token-expires',
    invariant: 'A token that was verified once is refused when its time is over',
    file: 'libs/service-kit/src/caller.ts',
    cut: 'known && known.expiresMs > clock.nowMs()',
    leave: 'known',
    test: { file: 'libs/service-kit/src/caller.test.ts', title: 'is good to its last moment and not beyond' },
  },
  {
    id: 'canonical-path',
    invariant: 'An address that could be read in two ways is refused',
    file: app,
    cut: 'if (!isCanonicalPath(request.originalUrl))',
    leave: 'if (request.originalUrl === "")',
    test: { file: door, title: 'is refused: ' },
  },
  {
    id: 'header-hygiene',
    invariant: 'No header of a browser makes somebody else of anybody',
    file: 'services/gateway/src/inward-headers.ts',
    cut: '.filter(([name]) => keep.has(name))',
    leave: '',
    test: { file: door, title: 'is all a service hears of' },
  },
  {
    id: 'traceparent-of-our-own',
    invariant: 'Only our own page names the trace of a request',
    file: 'libs/service-kit/src/http-app.ts',
    cut: '!door || door.believesTraceparent(request)',
    leave: 'true',
    test: { file: 'services/gateway/test/tracing.test.ts', title: 'begins a trace of its own for a request' },
  },
  {
    id: 'door-decides-sampling',
    invariant: 'How much is traced is not for a browser to say',
    file: 'libs/service-kit/src/tracing.ts',
    cut: 'Math.random() >= ratio',
    leave: 'parent === undefined && Math.random() >= ratio',
    test: { file: 'libs/service-kit/src/tracing.test.ts', title: 'lets the ratio decide' },
  },
  {
    id: 'csrf-token',
    invariant: 'A change needs the token of its own session',
    file: csrf,
    cut: 'if (!validateRequest(request)) throw refused()',
    leave: '',
    test: { file: door, title: 'with the token of another session is refused' },
  },
  {
    id: 'own-origin',
    invariant: 'A change that another site asked for is refused',
    file: csrf,
    cut: 'if (origin !== undefined && !config.PUBLIC_ORIGINS.includes(origin)) throw foreign()',
    leave: '',
    test: { file: door, title: 'from another site is refused' },
  },
  {
    id: 'locked-at-the-door',
    invariant: 'The gateway lets nothing of a locked session through',
    file: app,
    cut: 'if (refused)',
    leave: 'if (refused && identity.sid === "")',
    test: { file: partDown, title: '503 in time while messaging is killed' },
  },
  {
    id: 'locked-at-the-service',
    invariant: 'A service refuses a locked session, whoever let it through',
    file: 'libs/service-kit/src/caller.ts',
    cut: "access === 'unlocked' &&",
    leave: "access === 'locked-never' &&",
    test: { file: routes, title: 'asks for a session, then for an unlock that has not run out' },
  },
  {
    id: 'admins-only',
    invariant: 'What is for administrators is for nobody else',
    file: 'libs/service-kit/src/caller.ts',
    cut: "access === 'admin' && !caller.isAdmin",
    leave: "access === 'admin' && caller.userId === ''",
    test: { file: routes, title: 'lets only admins through an admin route' },
  },
  {
    id: 'step-up-for-admins',
    invariant: 'A stolen cookie of an administrator grants nothing without the PIN or the password',
    file: 'libs/service-kit/src/caller.ts',
    cut: "access === 'admin' && !isSteppedUp",
    leave: "access === 'locked-never' && !isSteppedUp",
    test: { file: routes, title: 'lets an admin through for less than 15 minutes after a sign-in' },
  },
  {
    id: 'internal-callers',
    invariant: 'What services tell each other they tell nobody else',
    file: 'libs/service-kit/src/internal-auth.ts',
    cut: 'if (!known || !contract.callers.includes(name as ServiceName)) {',
    leave: 'if (!known) {',
    test: {
      file: 'libs/service-kit/src/internal-auth.test.ts',
      title: 'lets in only who the route names',
    },
  },
  {
    id: 'checked-answers',
    invariant: 'Nothing leaves a service that its contract does not name',
    file: 'libs/service-kit/src/bind-route.ts',
    cut: 'if (checkAnswers && !schema?.safeParse(reply.body).success) {',
    leave: 'if (checkAnswers && !schema) {',
    test: { file: routes, title: 'does not let an answer out that its contract does not allow' },
  },
  {
    id: 'admit-at-most',
    invariant: 'A flood is answered 429 at once, not late',
    file: 'services/gateway/src/admit-at-most.ts',
    cut: 'if (underWay >= limit) {',
    leave: 'if (underWay < 0) {',
    test: { file: 'services/gateway/src/admit-at-most.test.ts', title: 'refuses at once' },
  },
  {
    id: 'answer-in-time',
    invariant: 'A service that hangs costs two seconds, not for ever',
    file: 'services/gateway/src/proxy.ts',
    cut: 'toService.setTimeout(leftMs, () => toService.destroy())',
    leave: '{}',
    test: { file: partDown, title: '503 in time while messaging hangs', size: 'full' },
  },
  {
    id: 'look-before-giving-up',
    invariant: 'A gateway without a processor does not take that for a replica that is away',
    file: 'services/gateway/src/replica-agent.ts',
    cut: 'const afterLooking = setImmediate',
    leave: 'const afterLooking = (work: () => void) => work()',
    test: { file: 'services/gateway/src/replica-agent.test.ts', title: 'does not pass over a replica' },
  },
  {
    id: 'forget-what-changed',
    invariant: 'The device that locked or signed out is refused in its very next request, without Redis',
    file: 'services/gateway/src/proxy.ts',
    cut: 'forgetWhatChanged(response)',
    leave: '',
    test: { file: revocation, title: 'is in force in the very next request of the device that made it' },
  },
  {
    id: 'follow-changes',
    invariant:
      'A revoked or locked session is dead at every gateway within five seconds, also with a Redis that hangs',
    file: 'services/gateway/src/context.ts',
    cut: 'for (const sid of sids) sessions.forgetSession(sid)',
    leave: 'void sids',
    test: {
      file: revocation,
      title: 'a gateway learns within five seconds what was said while it was cut off',
    },
  },
  {
    id: 'forget-on-hint',
    invariant: 'A revoked or locked session is dead at every gateway within a second',
    file: 'services/gateway/src/context.ts',
    cut: 'if (parsed.success) sessions.forgetSession(parsed.data.sid)',
    leave: '',
    test: { file: revocation, title: 'locks that follow each other are each in force' },
  },
  {
    id: 'short-memory',
    invariant:
      'While auth does not tell which sessions changed, a remembered session counts for four seconds',
    file: 'services/gateway/src/domain/session-cache.ts',
    cut: 'isFollowing() ? rememberedMs.following : rememberedMs.alone',
    leave: 'rememberedMs.following',
    test: {
      file: 'services/gateway/src/domain/session-cache.test.ts',
      title: 'keeps an identity for four seconds while they are not',
    },
  },
  {
    id: 'no-expired-token',
    invariant: 'No token is sent inward that may have expired when it arrives',
    file: 'services/gateway/src/domain/session-cache.ts',
    cut: 'identity.expiresAtMs - nowMs > tokenReserveMs',
    leave: 'identity.expiresAtMs > 0',
    test: {
      file: 'services/gateway/src/domain/session-cache.test.ts',
      title: 'never hands out a token in the last five seconds of its life',
    },
  },
  {
    id: 'no-old-answer',
    invariant: 'An answer that was asked for before its session ended is not remembered',
    file: 'services/gateway/src/domain/session-cache.ts',
    cut: 'number: question.isOutdated ? 0 : number',
    leave: 'number',
    test: {
      file: 'services/gateway/src/domain/session-cache.test.ts',
      title: 'uses an answer that was asked for before, without remembering it',
    },
  },
  {
    id: 'close-sockets',
    invariant: 'The sockets of a session that ended are closed within a second',
    file: 'services/realtime/src/consumers/hints.ts',
    cut: "if (reason !== 'unlocked') sockets.closeSession(sid)",
    leave: 'void sid',
    test: { file: lock, title: 'locks within a second everywhere, and closes the open sockets' },
  },
  {
    id: 'recheck-while-deaf',
    invariant: 'Without Redis a socket outlives its session by five seconds at most',
    file: 'services/realtime/src/watch-session.ts',
    cut: "ctx.hints.status === 'ready' ? recheckMs.quiet : recheckMs.deaf",
    leave: 'recheckMs.quiet',
    test: { file: revocation, title: 'is in force everywhere within five seconds, without Redis' },
  },
  {
    id: 'alive-without-redis',
    invariant: 'realtime goes on while Redis is away',
    file: 'services/realtime/src/context.ts',
    cut: 'publish(channel, text).catch(() => 0)',
    leave: 'publish(channel, text)',
    test: { file: revocation, title: 'is in force everywhere within five seconds, without Redis' },
  },
  {
    id: 'locked-socket',
    invariant: 'A locked session gets no socket',
    file: handshake,
    cut: "if (identity.unlockedUntilMs <= ctx.clock.nowMs()) return { refusal: 'locked' }",
    leave: '',
    test: { file: lock, title: 'answers 423 on every guarded route and refuses the socket' },
  },
]
