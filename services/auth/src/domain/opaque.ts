import { createHash, randomBytes } from 'node:crypto'

/** Returns 256 random bits for a cookie or a link, in base64url. */
export const createOpaque = (): string => randomBytes(32).toString('base64url')

/** Returns the SHA-256 of a value in base64url, which is stored instead of the value. */
export const hashOpaque = (value: string): string => createHash('sha256').update(value).digest('base64url')
