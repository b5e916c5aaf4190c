import { z } from 'zod'
import { conversationHeader } from './conversation-header.ts'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { message } from './message.ts'
import { isOneCharacter, reactionMaxBytes } from './one-character.ts'
import { id, messageContent } from './primitives.ts'
import { defineRoute } from './route.ts'
import { sealed } from './sealed.ts'
import { mediaUrl, sealedContent } from './send-message-body.ts'

const fields = {
  target: z
    .strictObject({ by: id, id })
    .describe('The message: its sender, and the clientMessageId under which it was sent.'),
  clientMessageId: id.describe('Chosen by the caller: an act sent again with the same id is applied once.'),
}

const unsend = z
  .strictObject({
    act: z.literal('unsend'),
    ...fields,
    mediaUrl: mediaUrl
      .optional()
      .describe('The uploaded file of a message that may not be stored; it is removed with the message.'),
  })
  .describe('Takes the message back for both. A message of this id that arrives later is stored empty.')

const edit = z
  .strictObject({
    act: z.literal('edit'),
    ...fields,
    replaces: id.nullable().describe('The act whose content is shown; null for the content first sent.'),
    content: messageContent.optional().describe('A picture, video or voice message may have none.'),
    sealed: sealed.optional(),
  })
  .refine((body) => body.sealed || (body.content?.length ?? 0) <= limits.messageMaxLength, {
    path: ['content'],
    message: `Use at most ${limits.messageMaxLength} characters.`,
  })
  .refine((body) => !body.sealed || sealedContent.test(body.content ?? ''), {
    path: ['content'],
    message: 'Must be base64url without padding.',
  })
  // zod leaves refinements out of its JSON Schema, so the rules above are repeated here.
  .meta({
    description: 'Replaces the text or the caption. The earlier content is kept nowhere.',
    anyOf: [
      { properties: { content: { maxLength: limits.messageMaxLength }, sealed: false } },
      { properties: { content: { pattern: sealedContent.source } }, required: ['content', 'sealed'] },
    ],
  })

/** The shortest sealed body has 92 bytes, and every sealed reaction has this size. */
const sealedReaction = /^[\w-]{123}$/

const reaction = z
  .strictObject({
    act: z.literal('reaction'),
    ...fields,
    replaces: id.nullable().describe('The act of the own reaction that is shown; null without one.'),
    content: messageContent.optional().describe('One emoji. Without it the reaction is taken back.'),
    sealed: sealed.optional(),
  })
  .refine(({ sealed: keys, content }) => keys || content === undefined || isOneCharacter(content), {
    path: ['content'],
    message: 'Choose one emoji.',
  })
  .refine((body) => !body.sealed || sealedReaction.test(body.content ?? ''), {
    path: ['content'],
    message: 'Must be base64url of 92 bytes.',
  })
  .meta({
    description: 'Sets the own reaction to a message of either person. It replaces an earlier one.',
    anyOf: [
      { properties: { content: { maxLength: reactionMaxBytes }, sealed: false } },
      { properties: { content: { pattern: sealedReaction.source } }, required: ['content', 'sealed'] },
    ],
  })

const actBody = z.discriminatedUnion('act', [unsend, edit, reaction])

export const changeMessage = defineRoute({
  method: 'POST',
  path: '/api/conversations/:id/acts',
  service: 'messaging',
  access: 'unlocked',
  summary: `Edits a message of the caller or takes it back, within ${limits.actHours} hours, or reacts to a message of either person: 201 when the act was applied, 200 when it was before.`,
  params: z.object({ id }),
  body: actBody,
  replicaHeader: conversationHeader,
  example: {
    params: { id: exampleValues.conversationId },
    body: {
      act: 'edit',
      target: { by: exampleValues.userId, id: exampleValues.clientMessageId },
      clientMessageId: exampleValues.actId,
      replaces: null,
      content: 'Hello again',
    },
  },
  responses: { 201: message, 200: message },
  errors: [
    'conversation_not_found',
    'message_not_found',
    'act_too_late',
    'act_replaced',
    'too_many_edits',
    'message_unsent',
    'keys_changed',
    'person_gone',
    'too_many_requests',
  ],
})

export type ActBody = z.infer<typeof actBody>
