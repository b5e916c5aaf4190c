import { z } from 'zod'
import { message } from './messaging-routes.ts'
import { id } from './primitives.ts'

/** A session lost permissions that its cached token still has. A hint: caches expire on their own. */
export const sessionInvalidated = {
  channel: 'session-invalidated',
  data: z.object({ sid: id, userId: id, reason: z.enum(['locked', 'unlocked', 'revoked']) }),
}

/** Announces a stored message to realtime ahead of the Kafka event. */
export const messageHint = {
  channel: 'message-sent',
  data: z.object({
    message,
    memberIds: z.array(id).length(2),
    /** Only the sender learns of the message. */
    isHidden: z.boolean().optional(),
    /** The request that stored it. */
    request: z.object({ requestId: z.string(), traceparent: z.string().optional() }).optional(),
  }),
}

export type SessionInvalidated = z.infer<typeof sessionInvalidated.data>
export type MessageHint = z.infer<typeof messageHint.data>

/** Redis channel inside a namespace. */
export const redisChannel = (namespace: string, channel: string): string => `${namespace}:${channel}`
