import { z } from 'zod'
import { message, messageVersion } from './message.ts'
import { id, seq } from './primitives.ts'

/** The Socket.IO server has this path and accepts the websocket transport only. */
export const socketPath = '/ws'

/**
 * A client sends this query with the handshake. `userId` must match the cookie's session, and a conversation of other
 * people is refused.
 */
export const handshakeQuery = z.object({
  userId: id,
  conversationId: id.optional(),
})

/**
 * The server sends these messages under the Socket.IO event name `event`. Each is a hint, after which clients fetch
 * the state over HTTP.
 */
export const serverEvent = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('new_message'), data: message })
    .describe(
      'A message was stored in a conversation of this person. The sender’s sockets receive it, too, except that of the tab which sent it.',
    ),
  z
    .object({ type: z.literal('message_read'), data: z.object({ conversationId: id, readerId: id, seq }) })
    .describe(
      'The reader has read up to `seq`. The other member receives it only while read receipts of both are on.',
    ),
  z
    .object({
      type: z.literal('message_changed'),
      data: z.object({ conversationId: id, version: messageVersion }),
    })
    .describe('A message was edited or taken back: fetch the messages with `changedSince`.'),
  z
    .object({ type: z.literal('conversation_started'), data: z.object({ conversationId: id }) })
    .describe('A conversation with this person was opened, by the other member or on another device.'),
  z
    .object({ type: z.literal('conversation_deleted'), data: z.object({ conversationId: id }) })
    .describe('This person deleted the conversation, on this device or another one.'),
  z
    .object({ type: z.literal('conversation_changed'), data: z.object({ conversationId: id }) })
    .describe(
      'This person muted, blocked or accepted the conversation, or a late message in it may have vanished: fetch the list and new messages.',
    ),
  z
    .object({ type: z.literal('limits_changed'), data: z.object({}) })
    .describe(
      'Premium began or ended for this person or for another member of their conversations: fetch the list and the user.',
    ),
  z
    .object({ type: z.literal('status'), data: z.object({ degraded: z.boolean() }) })
    .describe('Sent first after connecting. While `degraded`, events may be missing: poll.'),
  z
    .object({ type: z.literal('locked'), data: z.object({}) })
    .describe('The unlock ended or the session was revoked; the socket closes next.'),
])

/** When a handshake is refused, `connect_error` has one of these texts. */
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

/** Socket.IO takes this event map on both sides. */
export interface ServerToClientEvents {
  event: (event: ServerEvent) => void
}
