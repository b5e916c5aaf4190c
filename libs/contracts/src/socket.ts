import { z } from 'zod'
import { message } from './messaging-routes.ts'
import { id, seq } from './primitives.ts'

/** Path of the Socket.IO server; websocket transport only. */
export const socketPath = '/ws'

/** Query of the handshake. `userId` is a claim that must match the cookie; a foreign conversation is refused. */
export const handshakeQuery = z.object({ userId: id, conversationId: id.optional() })

/** What the server pushes, always under the Socket.IO event name `event`. Every one is a hint: the truth is fetched. */
export const serverEvent = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('new_message'), data: message })
    .describe('A message was stored in a conversation of this person. Also goes to the sender.'),
  z
    .object({ type: z.literal('message_read'), data: z.object({ conversationId: id, readerId: id, seq }) })
    .describe('The reader has read up to `seq`.'),
  z
    .object({ type: z.literal('conversation_started'), data: z.object({ conversationId: id }) })
    .describe('Somebody opened a conversation with this person, or this person did elsewhere.'),
  z
    .object({ type: z.literal('limits_changed'), data: z.object({}) })
    .describe(
      'Premium began or ended for this person or for the other side of a conversation: fetch the list and the user.',
    ),
  z
    .object({ type: z.literal('status'), data: z.object({ degraded: z.boolean() }) })
    .describe('First thing after connecting. While degraded, nobody can promise to hear of messages: poll.'),
  z
    .object({ type: z.literal('locked'), data: z.object({}) })
    .describe('The unlock ended or the session was revoked; the socket closes right after.'),
])

/** Text of the `connect_error` when the handshake is refused. */
export const handshakeRefusals = [
  'no_session',
  'locked',
  'not_allowed',
  'origin_refused',
  'invalid_request',
  'unavailable',
] as const

export type ServerEvent = z.infer<typeof serverEvent>
export type HandshakeRefusal = (typeof handshakeRefusals)[number]

/** Typed event map for Socket.IO on both sides. */
export interface ServerToClientEvents {
  event: (event: ServerEvent) => void
}
