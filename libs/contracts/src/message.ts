import { z } from 'zod'
import { id, messageType, seq, timestamp, vanishMs } from './primitives.ts'
import { sealed } from './sealed.ts'

export const messageVersion = z.number().int().min(1)

export const message = z
  .object({
    id,
    conversationId: id,
    senderId: id,
    seq,
    content: z.string(),
    messageType,
    mediaUrl: z.string().nullable(),
    isRead: z
      .boolean()
      .describe(
        'Own messages: whether the other member has read it. Their messages: whether the caller has.',
      ),
    createdAt: timestamp,
    clientMessageId: id.describe(
      'Chosen by the sender: a message sent again with the same id is stored once.',
    ),
    sealed: sealed.optional(),
    version: messageVersion
      .optional()
      .describe('The higher version of a message is the newer one. Absent while it was never changed.'),
    edit: z
      .object({ id, at: timestamp })
      .optional()
      .describe(
        'The act and the time of the present content. A sealed content then opens as that of the act.',
      ),
    reactions: z
      .array(z.object({ by: id, id, content: z.string(), sealed: sealed.optional() }))
      .max(2)
      .optional()
      .describe('At most one of each member, by its act `id`. One that was taken back has no content.'),
    isUnsent: z
      .literal(true)
      .optional()
      .describe('The sender took the message back: it has no content and no media any more.'),
    isUnstored: z
      .literal(true)
      .optional()
      .describe('It was taken back before it was stored, so it was never unread.'),
    vanishMs: vanishMs
      .optional()
      .describe(
        'The message vanishes this long after `createdAt` for its sender, and this long after it was read for the other member.',
      ),
    vanishAt: timestamp
      .optional()
      .describe(
        'Their messages only: the message vanishes at this time for the caller. Absent until it was read.',
      ),
    isOnce: z
      .literal(true)
      .optional()
      .describe(
        'The receiver can open the file once, by `POST /api/messages/:id/open`. Its sender is shown no content any more.',
      ),
    isOpened: z
      .literal(true)
      .optional()
      .describe('It was opened. The sender learns that only if both members send read receipts.'),
    isVanished: z
      .literal(true)
      .optional()
      .describe('The time of the message is over for the caller: it has no content and no media any more.'),
  })
  .meta({ id: 'Message', description: 'A stored message. `seq` is its order.' })
