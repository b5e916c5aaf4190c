/** `refused`: has to be answered with 4xx. `harmless`: has to be answered with anything below 500, and store nothing. */
export type Expectation = 'refused' | 'harmless'

export type BadPart = 'body' | 'target' | 'method' | 'headers' | 'sid'

export interface BadRequest {
  readonly name: string
  readonly expects: Expectation
  /** The part that differs from the good request. */
  readonly badPart: BadPart
  /** Whether it is made from a field of this route, and not from what all routes have in common. */
  readonly ofField: boolean
  readonly method: string
  readonly target: string
  readonly body?: string | Buffer | undefined
  /** Replace the headers of a good request, or (null) remove them. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>
  /** Makes the session cookie from the real one; null for no cookie. */
  readonly sid?: (real: string) => string | null
}

/** The changes that turn a good request into a bad one. */
export type Difference = Pick<BadRequest, 'name'> & Partial<BadRequest>
