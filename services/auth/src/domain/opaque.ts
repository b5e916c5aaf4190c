import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits for a cookie. */
export const createOpaque = (): string => randomBytes(32).toString('base64url')

/** The stored hash of a cookie. */
export const hashOpaque = (value: string): string => createHash('sha256').update(value).digest('base64url')
