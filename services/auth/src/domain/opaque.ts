import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits for a cookie or a link. */
export const createOpaque = (): string => randomBytes(32).toString('base64url')

/** The stored hash of such bits. */
export const hashOpaque = (value: string): string => createHash('sha256').update(value).digest('base64url')
