/** load/runner/seed.ts writes such people to a file. */
export interface LoadPerson {
  userId: string
  username: string
  password: string
  pin: string
  /** The Cookie header and the CSRF token belong to an unlocked session. */
  cookie: string
  csrfToken: string
  conversationId: string
}

export type LoadPair = readonly [LoadPerson, LoadPerson]
