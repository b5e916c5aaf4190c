import type { Guard } from './guard.ts'

/** Who may listen at a socket, and how long. */
export const socketGuards: readonly Guard[] = [
  {
    id: 'socket-origin',
    invariant: 'No other site opens a socket',
    file: 'services/realtime/src/handshake.ts',
    cut: '!ctx.config.PUBLIC_ORIGINS.includes(headers.origin)',
    leave: 'headers.origin === ""',
    test: { file: 'services/realtime/src/handshake.test.ts', title: 'from another site is refused' },
  },
  {
    id: 'socket-session',
    invariant: 'Without a session there is no socket',
    file: 'services/realtime/src/handshake.ts',
    cut: "if (!identity) return { refusal: 'no_session' }",
    leave: "if (!identity) return { identity: { sid: '', userId: '', unlockedUntilMs: 0 }, cookie }",
    test: { file: 'services/realtime/src/handshake.test.ts', title: 'with a cookie nobody has is refused' },
  },
  {
    id: 'socket-claim',
    invariant: 'A socket listens for nobody else',
    file: 'services/realtime/src/handshake.ts',
    cut: "if (identity.userId !== claim.data.userId) return { refusal: 'not_allowed' }",
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
    cut: '!(await ctx.membersOf(conversationId)).includes(identity.userId)',
    leave: '(await ctx.membersOf(conversationId)).length === 0',
    test: {
      file: 'services/realtime/src/handshake.test.ts',
      title: 'for a conversation of others is refused',
    },
  },
  {
    id: 'socket-ends-with-unlock',
    invariant: 'A socket is closed the moment its unlock ends',
    file: 'services/realtime/src/watch-session.ts',
    cut: 'Math.max(identity.unlockedUntilMs - ctx.clock.nowMs(), 0)',
    leave: 'Infinity',
    test: {
      file: 'services/realtime/src/watch-session.test.ts',
      title: 'is closed the moment the unlock ends',
    },
  },
  {
    id: 'socket-ends-for-all',
    invariant: 'The other sockets of a session that ended are closed as well',
    file: 'services/realtime/src/watch-session.ts',
    cut: 'onEnd()',
    leave: '',
    test: {
      file: 'services/realtime/src/watch-session.test.ts',
      title: 'is closed the moment the unlock ends',
    },
  },
  {
    id: 'socket-ends-without-auth',
    invariant: 'While auth is away a socket lives to the end that is known, and no longer',
    file: 'services/realtime/src/watch-session.ts',
    cut: 'identity.unlockedUntilMs <= ctx.clock.nowMs()',
    leave: 'identity.sid === ""',
    test: {
      file: 'services/realtime/src/watch-session.test.ts',
      title: 'is closed at the end that is known',
    },
  },
  {
    id: 'sooner-when-deaf',
    invariant: 'A long wait is cut short when Redis falls silent',
    file: 'services/realtime/src/watch-session.ts',
    cut: "ctx.hints.on('close', onDeaf)",
    leave: '',
    test: {
      file: 'services/realtime/src/watch-session.test.ts',
      title: 'is asked about sooner once Redis falls silent',
    },
  },
  {
    id: 'deaf-only-shortens',
    invariant: 'Redis that stays away does not put the look at a session off for ever',
    file: 'services/realtime/src/watch-session.ts',
    cut: 'ended || dueAtMs - performance.now() <= recheckMs.deaf',
    leave: 'ended',
    test: {
      file: 'services/realtime/src/watch-session.test.ts',
      title: 'is asked about sooner once Redis falls silent',
    },
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
