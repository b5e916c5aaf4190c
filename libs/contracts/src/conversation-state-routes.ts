import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { conversation } from './messaging-routes.ts'
import { id, note, reportedText, timestamp, vanishMs } from './primitives.ts'
import { limits } from './limits.ts'
import { defineRoute } from './route.ts'
import { sealedNickname } from './sealed.ts'

export const setConversationState = defineRoute({
  method: 'PUT',
  path: '/api/conversations/:id/state',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Mutes, names, blocks or accepts a conversation for the caller; absent fields stay as they are. The other member is not told.',
  params: z.object({ id }),
  body: z
    .strictObject({
      isMuted: z.boolean().optional(),
      nickname: sealedNickname.nullable().optional().describe('Null removes the nickname.'),
      isBlocked: z
        .boolean()
        .optional()
        .describe(
          'While true, what the other member sends is a deleted message to the caller. It stays one after unblocking.',
        ),
      isAccepted: z.literal(true).optional().describe('Accepts a conversation that waits as a request.'),
    })
    .refine((body) => Object.keys(body).length > 0, { message: 'Name what is to change.' })
    // JSON Schema cannot be generated from the refinement above, so its rule is repeated.
    .meta({ minProperties: 1 }),
  example: { params: { id: exampleValues.conversationId }, body: { isMuted: true } },
  responses: { 200: conversation },
  errors: ['conversation_not_found'],
})

export const setTimer = defineRoute({
  method: 'PUT',
  path: '/api/conversations/:id/timer',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Sets after which time the next messages of both members vanish. Sent again with the same id it changes nothing.',
  params: z.object({ id }),
  body: z.strictObject({
    id: id.describe('Chosen by the caller.'),
    vanishMs: vanishMs.nullable(),
    replaces: id.nullable().describe('The `timer.id` that the caller was shown; null without one.'),
  }),
  example: {
    params: { id: exampleValues.conversationId },
    body: { id: exampleValues.actId, vanishMs: 86_400_000, replaces: null },
  },
  responses: { 200: conversation },
  errors: ['conversation_not_found', 'timer_replaced', 'person_gone'],
})

const contents = z
  .array(z.strictObject({ id, text: reportedText }))
  .max(limits.reportedMessages)
  .refine((list) => list.reduce((sum, { text }) => sum + text.length, 0) <= limits.reportedTextsMaxLength, {
    message: `Attach at most ${limits.reportedTextsMaxLength} characters.`,
  })
  .describe(
    `What some of these messages say, as the caller reads it: at most ${limits.reportedTextsMaxLength} characters in all. The services do not look into messages.`,
  )

export const reportConversation = defineRoute({
  method: 'POST',
  path: '/api/conversations/:id/reports',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Reports the other member to the administrators: the ids of some messages, and what they say only if the caller attaches it.',
  params: z.object({ id }),
  body: z
    .strictObject({
      messageIds: z.array(id).max(limits.reportedMessages).default([]),
      contents: contents.default([]),
      note: note.optional(),
    })
    .refine(
      ({ messageIds, contents: attached }) =>
        new Set(attached.map((one) => one.id)).size === attached.length &&
        attached.every((one) => messageIds.includes(one.id)),
      { path: ['contents'], message: 'Attach one text at most to each of the messages.' },
    ),
  // JSON may escape every character, which makes the body longer than the texts.
  bodyMaxBytes: 2 * limits.jsonBodyMaxBytes,
  example: { params: { id: exampleValues.conversationId }, body: { note: 'Spam' } },
  responses: { 201: z.object({ ok: z.literal(true) }) },
  errors: ['conversation_not_found', 'message_not_found', 'too_many_reports'],
})

const preferences = z.strictObject({
  asksFirst: z
    .boolean()
    .describe('Whether a conversation that someone else begins waits as a request until it is accepted.'),
  showsRead: z
    .boolean()
    .describe(
      'Whether others are shown what the caller has read, and the caller what they have: both need it.',
    ),
})

export const getConversationPreferences = defineRoute({
  method: 'GET',
  path: '/api/conversation-preferences',
  service: 'messaging',
  access: 'unlocked',
  summary: 'How conversations that other people begin are treated, and who is shown what was read.',
  responses: { 200: preferences },
  errors: [],
})

export const setConversationPreferences = defineRoute({
  method: 'PUT',
  path: '/api/conversation-preferences',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Changes these preferences; absent ones stay as they are. Conversations that exist, and what was shown as read, stay as they are.',
  body: preferences
    .partial()
    .refine((body) => Object.keys(body).length > 0, { message: 'Name what is to change.' })
    // JSON Schema cannot be generated from the refinement above, so its rule is repeated.
    .meta({ minProperties: 1 }),
  example: { body: { asksFirst: true } },
  responses: { 200: preferences },
  errors: [],
})

const reportId = z
  .string()
  .regex(/^[0-9a-f-]{36}\.\d{4}-\d{2}-\d{2}\.\d{1,2}$/)
  .describe('Names the report when it is closed.')

const report = z
  .object({
    id: reportId,
    reportedBy: z.string().describe('A username.'),
    reported: z.string().describe('A username.'),
    reportedUserId: id,
    conversationId: id,
    messages: z.array(
      z.object({
        id,
        text: z.string().optional().describe('Attached by the reporter. It cannot be proven.'),
      }),
    ),
    note: z.string().nullable(),
    createdAt: timestamp,
    closedAt: timestamp
      .nullable()
      .describe(`Attached texts are removed ${limits.closedReportTextDays} days later.`),
  })
  .meta({ id: 'Report' })

export const listReports = defineRoute({
  method: 'GET',
  path: '/api/admin/reports',
  service: 'messaging',
  access: 'admin',
  summary: `At most ${limits.listedReports} reports: the open ones, newest first, then the closed ones, last closed first.`,
  responses: { 200: z.array(report) },
  errors: [],
})

export const closeReport = defineRoute({
  method: 'POST',
  path: '/api/admin/reports/:reportId/close',
  service: 'messaging',
  access: 'admin',
  summary: 'Closes a report. Repeated, it changes nothing.',
  params: z.object({ reportId }),
  example: { params: { reportId: exampleValues.reportId } },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['not_found'],
})

export type ConversationPreferences = z.output<typeof preferences>

export type Report = z.output<typeof report>
