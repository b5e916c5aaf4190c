export interface Identity {
  sid: string
  userId: string
  /** Milliseconds since the epoch; 0 while locked. */
  unlockedUntilMs: number
  /** When auth was asked for it. */
  askedAtMs: number
}
