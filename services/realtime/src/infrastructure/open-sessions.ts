import type { SocketSession } from '../domain/socket-session.ts'

/** The session has at least one socket on this instance. */
export interface OpenSession<S> extends SocketSession {
  readonly cookie: string
  /** The sockets are listed in the order in which they connected. */
  readonly sockets: ReadonlySet<S>
}

export interface OpenSessions<S> {
  /**
   * Adds a socket. Returns the oldest sockets that now exceed the limit of the session or the person, for the caller to
   * close.
   */
  add(identity: SocketSession, cookie: string, socket: S): S[]
  remove(sid: string, socket: S): void
  get(sid: string): OpenSession<S> | undefined
  all(): Iterable<OpenSession<S>>
  /** Sets the end of the unlock that a newer answer of auth contains. */
  extend(identity: Pick<SocketSession, 'sid' | 'unlockedUntilMs' | 'askedAtMs'>): void
}

export interface SocketLimits {
  perSession: number
  perPerson: number
}

interface Entry<S> extends SocketSession {
  cookie: string
  sockets: Set<S>
}

/** Finds the sockets of this instance by session and by person. Adding and removing take constant time. */
export function createOpenSessions<S>(
  { perSession, perPerson }: SocketLimits = { perSession: 8, perPerson: 20 },
): OpenSessions<S> {
  const sessions = new Map<string, Entry<S>>()
  const people = new Map<string, Set<S>>()

  const beyond = (sockets: ReadonlySet<S>, limit: number): S[] =>
    sockets.size > limit ? [...sockets].slice(0, sockets.size - limit) : []

  return {
    add(identity, cookie, socket) {
      const { sid, userId, unlockedUntilMs, askedAtMs } = identity
      const session = sessions.get(sid) ?? { ...identity, cookie, sockets: new Set<S>() }
      sessions.set(sid, session)
      session.cookie = cookie
      session.unlockedUntilMs = Math.max(session.unlockedUntilMs, unlockedUntilMs)
      session.askedAtMs = Math.max(session.askedAtMs, askedAtMs)
      session.sockets.add(socket)
      const ofPerson = people.get(userId) ?? new Set<S>()
      people.set(userId, ofPerson.add(socket))
      const tooMany = beyond(session.sockets, perSession)
      return [...new Set([...tooMany, ...beyond(ofPerson, perPerson)])]
    },
    remove(sid, socket) {
      const session = sessions.get(sid)
      if (!session?.sockets.delete(socket)) return
      if (session.sockets.size === 0) sessions.delete(sid)
      const ofPerson = people.get(session.userId)
      ofPerson?.delete(socket)
      if (ofPerson?.size === 0) people.delete(session.userId)
    },
    get: (sid) => sessions.get(sid),
    all: () => sessions.values(),
    extend({ sid, unlockedUntilMs, askedAtMs }) {
      const session = sessions.get(sid)
      if (session) Object.assign(session, { unlockedUntilMs, askedAtMs })
    },
  }
}
