import type { Guard } from './guard.ts'

/** Who may listen at a socket, and how long. */
export const socketGuards: readonly Guard[] = [
  {
    id: 'socket-origin',
    invariant: 'No other site opens a socket',
    file: 'services/realtime/src/upgrade-guard.ts',
    cut: '!config.PUBLIC_ORIGINS.includes(origin)',
    leave: 'origin === ""',
    test: { file: 'services/realtime/src/upgrade-guard.test.ts', title: 'from another site is answered 403' },
  },
  {
    id: 'socket-session',
    invariant: 'Without a session there is no socket',
    file: 'services/realtime/src/upgrade-guard.ts',
    cut: "if (!identity) return 'session'",
    leave: '',
    test: {
      file: 'services/realtime/src/upgrade-guard.test.ts',
      title: 'with an invented cookie of the right shape is answered 401',
    },
  },
  {
    id: 'socket-claim',
    invariant: 'A socket listens for nobody else',
    file: 'services/realtime/src/handshake.ts',
    cut: "if (present.identity.userId !== userId) return { refusal: 'not_allowed' }",
    leave: '',
    test: {
      file: 'services/realtime/src/handshake.test.ts',
      title: 'that claims to be somebody else is refused',
    },
  },
  {
    id: 'socket-member',
    invariant: 'Nobody joins a conversation of others',
    file: 'services/realtime/src/handshake.ts',
    cut: '!(await ctx.membersOf(conversationId)).includes(userId)',
    leave: '(await ctx.membersOf(conversationId)).length === 0',
    test: {
      file: 'services/realtime/src/handshake.test.ts',
      title: 'for a conversation of others is refused',
    },
  },
  {
    id: 'named-before-joining',
    invariant: 'A session that was locked while its socket connected keeps no socket',
    file: 'services/realtime/src/socket-server.ts',
    cut: 'ctx.log.namedSince(identity.sid, position)',
    leave: 'false as boolean',
    test: {
      file: 'services/realtime/src/socket-server.test.ts',
      title: 'whose session was locked right before it joined its rooms',
    },
  },
  {
    id: 'recheck-changed',
    invariant: 'Without Redis a session that ended loses its sockets within five seconds',
    file: 'services/realtime/src/main.ts',
    cut: 'sockets?.recheck(sids)',
    leave: 'undefined',
    test: {
      file: 'testing/system/revocation.test.ts',
      title: 'is in force everywhere within five seconds, without Redis',
    },
  },
  {
    id: 'spread-questions',
    invariant: 'Thirty thousand sockets do not ask auth in the same instant',
    file: 'services/realtime/src/watch-sessions.ts',
    cut: 'inFlight.size < questionsAtOnce && ',
    leave: '',
    test: {
      file: 'services/realtime/src/watch-sessions.test.ts',
      title: 'that may all have changed are asked about a few at a time',
    },
  },
  {
    id: 'socket-ends-with-unlock',
    invariant: 'A socket is closed when its unlock ends',
    file: 'services/realtime/src/watch-sessions.ts',
    cut: 'now - unlockedUntilMs',
    leave: '-1',
    test: {
      file: 'services/realtime/src/watch-sessions.test.ts',
      title: 'ends within half a second of the end of its unlock',
    },
  },
  {
    id: 'socket-ends-for-all',
    invariant: 'All sockets of a session that ended are closed',
    file: 'services/realtime/src/watch-sessions.ts',
    cut: 'onEnd(sid)',
    leave: '',
    test: {
      file: 'services/realtime/src/watch-sessions.test.ts',
      title: 'ends within half a second of the end of its unlock',
    },
  },
  {
    id: 'socket-ends-without-auth',
    invariant: 'While auth is away a socket ends five seconds after the end that is known',
    file: 'services/realtime/src/watch-sessions.ts',
    cut: 'if (overdueMs >= overdueAtMostMs) end(sid)\n      else if',
    leave: 'if',
    test: {
      file: 'services/realtime/src/watch-sessions.test.ts',
      title: 'ends five seconds after the end that is known when auth does not answer',
    },
  },
  {
    id: 'malformed-hint',
    invariant: 'A payload that cannot be read ends no process',
    file: 'services/realtime/src/consumers/hints.ts',
    cut: 'drop(channel, error)',
    leave: 'throw error',
    test: {
      file: 'services/realtime/src/consumers/hints.test.ts',
      title: 'that is malformed is counted and dropped',
    },
  },
  {
    id: 'redis-silence',
    invariant: 'A Redis that hangs is noticed within three seconds',
    file: 'libs/service-kit/src/redis.ts',
    cut: 'silences >= silencesAtMost',
    leave: 'silences < 0',
    test: { file: 'libs/service-kit/test/redis.test.ts', title: 'is lost within 3.5 s and heals' },
  },
  {
    id: 'hints-bounded',
    invariant: 'Hints do not pile up while Redis hangs',
    file: 'libs/service-kit/src/hint-publisher.ts',
    cut: "if (pending() >= pendingHintsAtMost) return drop('full')",
    leave: '',
    test: { file: 'libs/service-kit/test/redis.test.ts', title: 'keeps a bounded number of hints' },
  },
  {
    id: 'seen-once',
    invariant: 'What a hint brought is not brought again',
    file: 'services/realtime/src/domain/seen.ts',
    cut: 'if (ids.has(id)) return false',
    leave: '',
    test: { file: 'services/realtime/src/domain/seen.test.ts', title: 'are new once' },
  },
]
