import type { Caller } from '@sumlock/service-kit/caller'

/** Returns the session that reads, and the beginning of its unlock. */
export const readerOf = ({ userId, sessionId, unlockedAt }: Caller) => ({ userId, sessionId, unlockedAt })
