export interface SocketSession {
  sid: string
  userId: string
  /** Milliseconds since the epoch; 0 while locked. */
  unlockedUntilMs: number
  /** The time of the request to auth. */
  askedAtMs: number
}
