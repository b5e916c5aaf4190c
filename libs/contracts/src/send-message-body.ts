import { z } from 'zod'
import { limits } from './limits.ts'
import { id, messageContent, messageType, vanishMs } from './primitives.ts'
import { sealed } from './sealed.ts'

/** The shortest content that the pattern allows has 92 bytes: a nonce, a tag and the smallest padding. */
export const sealedContent = /^[\w-]{123,20000}$/
export const mediaUrl = z.string().min(1).max(512)
const fileTimes = { enum: limits.vanishTimesMs.filter((ms) => ms >= limits.fileVanishMinMs) }
const plainContent = { content: { maxLength: limits.messageMaxLength }, sealed: false }

const isLongEnough = (type = 'text', ms: number = limits.fileVanishMinMs) =>
  type === 'text' || ms >= limits.fileVanishMinMs

/** The schema has the rules of a new message's body twice, as zod and as JSON Schema. */
export const sendMessageBody = z
  .strictObject({
    conversationId: id,
    content: messageContent.optional(),
    messageType: messageType.optional().describe('`text` when absent.'),
    mediaUrl: mediaUrl.optional(),
    clientMessageId: id.optional(),
    sealed: sealed.optional(),
    vanishMs: vanishMs.optional(),
    isOnce: z.literal(true).optional().describe('For a picture, video or voice message without `vanishMs`.'),
  })
  .refine(({ messageType: type = 'text', content }) => type !== 'text' || content !== undefined, {
    path: ['content'],
    message: 'Write something first.',
  })
  .refine(({ messageType: type = 'text', mediaUrl }) => (type === 'text') === (mediaUrl === undefined), {
    path: ['mediaUrl'],
    message: 'A picture, video or voice message needs its media, and a text has none.',
  })
  .refine((body) => body.sealed || (body.content?.length ?? 0) <= limits.messageMaxLength, {
    path: ['content'],
    message: `Use at most ${limits.messageMaxLength} characters.`,
  })
  .refine((body) => !body.sealed || (body.clientMessageId && body.messageType), {
    path: ['sealed'],
    message: 'A sealed message needs its clientMessageId and its messageType.',
  })
  .refine((body) => !body.sealed || sealedContent.test(body.content ?? ''), {
    path: ['content'],
    message: 'Must be base64url without padding.',
  })
  .refine((body) => isLongEnough(body.messageType, body.vanishMs), {
    path: ['vanishMs'],
    message: 'A picture, video or voice message stays for at least five minutes.',
  })
  .refine((body) => !body.isOnce || (body.mediaUrl !== undefined && body.vanishMs === undefined), {
    path: ['isOnce'],
    message: 'Only a picture, video or voice message without a time to vanish opens once.',
  })
  // zod leaves refinements out of its JSON Schema, so the rules above are repeated here.
  .meta({
    anyOf: [
      {
        properties: { messageType: { const: 'text' }, mediaUrl: false, ...plainContent },
        required: ['content'],
      },
      {
        properties: {
          messageType: { enum: ['image', 'video', 'voice'] },
          vanishMs: fileTimes,
          ...plainContent,
        },
        required: ['messageType', 'mediaUrl'],
      },
      {
        properties: {
          messageType: { const: 'text' },
          mediaUrl: false,
          content: { pattern: sealedContent.source },
        },
        required: ['content', 'messageType', 'clientMessageId', 'sealed'],
      },
      {
        properties: {
          messageType: { enum: ['image', 'video', 'voice'] },
          vanishMs: fileTimes,
          content: { pattern: sealedContent.source },
        },
        required: ['content', 'messageType', 'mediaUrl', 'clientMessageId', 'sealed'],
      },
    ],
  })
