export interface SocketSession {
  sid: string
  userId: string
  /** The unlock ends at this time, in milliseconds since the epoch; 0 means locked. */
  unlockedUntilMs: number
  /** The session was requested from auth at this time, in milliseconds since the epoch. */
  askedAtMs: number
}
