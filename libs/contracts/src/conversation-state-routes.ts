import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { conversation } from './messaging-routes.ts'
import { id, note, timestamp } from './primitives.ts'
import { limits } from './limits.ts'
import { defineRoute } from './route.ts'

export const setConversationState = defineRoute({
  method: 'PUT',
  path: '/api/conversations/:id/state',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Mutes, blocks or accepts a conversation for the caller; absent fields stay as they are. The other member is not told.',
  params: z.object({ id }),
  body: z
    .strictObject({
      isMuted: z.boolean().optional(),
      isBlocked: z
        .boolean()
        .optional()
        .describe(
          'While true, what the other member sends is a deleted message to the caller. It stays one after unblocking.',
        ),
      isAccepted: z.literal(true).optional().describe('Accepts a conversation that waits as a request.'),
    })
    .refine((body) => Object.keys(body).length > 0, { message: 'Name what is to change.' })
    // The refinement above as JSON Schema.
    .meta({ minProperties: 1 }),
  example: { params: { id: exampleValues.conversationId }, body: { isMuted: true } },
  responses: { 200: conversation },
  errors: ['conversation_not_found', 'too_many_blocked'],
})

export const reportConversation = defineRoute({
  method: 'POST',
  path: '/api/conversations/:id/reports',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Reports the other member to the administrators: the ids of some messages, and what they say only if the caller adds it.',
  params: z.object({ id }),
  body: z.strictObject({
    messageIds: z.array(id).max(limits.reportedMessages).default([]),
    withContent: z.boolean().default(false),
    note: note.optional(),
  }),
  example: { params: { id: exampleValues.conversationId }, body: { note: 'Spam' } },
  responses: { 201: z.object({ ok: z.literal(true) }) },
  errors: ['conversation_not_found', 'message_not_found', 'too_many_reports'],
})

const preferences = z.strictObject({
  asksFirst: z
    .boolean()
    .describe('Whether a conversation that someone else begins waits as a request until it is accepted.'),
})

export const getConversationPreferences = defineRoute({
  method: 'GET',
  path: '/api/conversation-preferences',
  service: 'messaging',
  access: 'unlocked',
  summary: 'How conversations that other people begin are treated.',
  responses: { 200: preferences },
  errors: [],
})

export const setConversationPreferences = defineRoute({
  method: 'PUT',
  path: '/api/conversation-preferences',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Replaces these preferences. Conversations that exist stay as they are.',
  body: preferences,
  example: { body: { asksFirst: true } },
  responses: { 200: preferences },
  errors: [],
})

const report = z
  .object({
    reportedBy: z.string().describe('A username.'),
    reported: z.string().describe('A username.'),
    reportedUserId: id,
    conversationId: id,
    messages: z.array(z.object({ id, content: z.string().optional() })),
    note: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Report' })

export const listReports = defineRoute({
  method: 'GET',
  path: '/api/admin/reports',
  service: 'messaging',
  access: 'admin',
  summary: `The newest ${limits.listedReports} reports, newest first.`,
  responses: { 200: z.array(report) },
  errors: [],
})

export type Report = z.output<typeof report>
