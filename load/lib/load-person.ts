/** A person of the file that load/runner/seed.ts writes. */
export interface LoadPerson {
  userId: string
  username: string
  password: string
  pin: string
  /** The Cookie header of an unlocked session, and its CSRF token. */
  cookie: string
  csrfToken: string
  conversationId: string
}

export type LoadPair = readonly [LoadPerson, LoadPerson]
