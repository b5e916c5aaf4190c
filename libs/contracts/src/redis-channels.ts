import { z } from 'zod'
import { id } from './primitives.ts'
import type { ServiceName } from './route.ts'
import { serverEvent } from './socket.ts'

/**
 * Tells caches of tokens that a session was locked, unlocked or revoked. The message may be lost, because cached
 * tokens expire on their own.
 */
export const sessionInvalidated = {
  channel: 'session-invalidated',
  data: z.object({ sid: id, userId: id, reason: z.enum(['locked', 'unlocked', 'revoked']) }),
  writers: ['auth'],
  readers: ['gateway', 'realtime'],
} as const

/**
 * Carries the hints for the sockets of one person. Realtime subscribes to the channels of the people whose sockets it
 * has.
 */
export const memberHint = {
  channel: 'member:<userId>',
  data: z.object({
    event: serverEvent,
    /** The hint was caused by this request. */
    request: z.object({ requestId: z.string(), traceparent: z.string().optional() }).optional(),
  }),
  writers: ['messaging'],
  readers: ['realtime'],
} as const

/** The names of the channels of Socket.IO's adapter begin with this. */
export const adapterChannels = 'socket.io'

interface RedisPlace {
  /** The namespace is not part of the name; `*` stands for any text. */
  pattern: string
  writers: readonly ServiceName[]
  readers: readonly ServiceName[]
}

const amongInstancesOfRealtime = { writers: ['realtime'], readers: ['realtime'] } as const

/** The list has all channels. Redis lets only the named services write to and read from them. */
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
  // Socket.IO's adapter uses these names for its namespace `/`, and subscribes to the first one literally as a
  // pattern.
  { pattern: `${adapterChannels}#/#*`, ...amongInstancesOfRealtime },
  { pattern: `${adapterChannels}-request#/#`, ...amongInstancesOfRealtime },
  { pattern: `${adapterChannels}-response#/#*`, ...amongInstancesOfRealtime },
] as const satisfies readonly RedisPlace[]

/** The keys of the counters of shared rate limits begin with this. */
export const rateKeys = 'rate:'

/** The list has all keys with the services that read and write them. */
export const redisKeys = [{ pattern: `${rateKeys}*`, users: ['gateway'] }] as const satisfies readonly {
  pattern: string
  users: readonly ServiceName[]
}[]

export type SessionInvalidated = z.infer<typeof sessionInvalidated.data>
export type MemberHint = z.infer<typeof memberHint.data>

/** Returns the name of a channel or key inside a namespace. */
export const redisChannel = (namespace: string, channel: string): string => `${namespace}:${channel}`

/** Returns the channel of a person's hints, or without an id the beginning of all their names. */
export const memberChannel = (namespace: string, userId = ''): string => `${namespace}:member:${userId}`
