import { z } from 'zod'
import { id } from './primitives.ts'
import type { ServiceName } from './route.ts'
import { serverEvent } from './socket.ts'

/** A session lost permissions that its cached token still has. A hint: caches expire on their own. */
export const sessionInvalidated = {
  channel: 'session-invalidated',
  data: z.object({ sid: id, userId: id, reason: z.enum(['locked', 'unlocked', 'revoked']) }),
  writers: ['auth'],
  readers: ['gateway', 'realtime'],
} as const

/** The hints for the sockets of one person. Realtime subscribes to the channels of people who have sockets there. */
export const memberHint = {
  channel: 'member:<userId>',
  data: z.object({
    event: serverEvent,
    /** The request that caused it. */
    request: z.object({ requestId: z.string(), traceparent: z.string().optional() }).optional(),
  }),
  writers: ['messaging'],
  readers: ['realtime'],
} as const

/** The first part of the names of the Socket.IO adapter's channels. */
export const adapterChannels = 'socket.io'

interface RedisPlace {
  /** The name without the namespace; `*` stands for any text. */
  pattern: string
  writers: readonly ServiceName[]
  readers: readonly ServiceName[]
}

const amongInstancesOfRealtime = { writers: ['realtime'], readers: ['realtime'] } as const

/** Every channel. Redis refuses everyone else. */
export const redisChannels = [
  {
    pattern: sessionInvalidated.channel,
    writers: sessionInvalidated.writers,
    readers: sessionInvalidated.readers,
  },
  {
    pattern: memberHint.channel.replace(/<.*>/, '*'),
    writers: memberHint.writers,
    readers: memberHint.readers,
  },
  // The adapter uses these names for the namespace `/` and subscribes to the first as this very pattern.
  { pattern: `${adapterChannels}#/#*`, ...amongInstancesOfRealtime },
  { pattern: `${adapterChannels}-request#/#`, ...amongInstancesOfRealtime },
  { pattern: `${adapterChannels}-response#/#*`, ...amongInstancesOfRealtime },
] as const satisfies readonly RedisPlace[]

/** The first part of the names of the counters behind shared rate limits. */
export const rateKeys = 'rate:'

/** Every key, and the services that read and write it. */
export const redisKeys = [{ pattern: `${rateKeys}*`, users: ['gateway'] }] as const satisfies readonly {
  pattern: string
  users: readonly ServiceName[]
}[]

export type SessionInvalidated = z.infer<typeof sessionInvalidated.data>
export type MemberHint = z.infer<typeof memberHint.data>

/** Redis channel or key inside a namespace. */
export const redisChannel = (namespace: string, channel: string): string => `${namespace}:${channel}`

/** The channel of a person's hints; of all people, without the id. */
export const memberChannel = (namespace: string, userId = ''): string => `${namespace}:member:${userId}`
