export interface Identity {
  sid: string
  userId: string
  /** Milliseconds since the epoch; 0 while locked. */
  unlockedUntilMs: number
}

export const userRoom = (userId: string): string => `user:${userId}`
export const sessionRoom = (sid: string): string => `session:${sid}`
