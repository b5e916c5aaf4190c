import { z } from 'zod'
import { listedSession } from './session-list-routes.ts'
import { exampleValues } from './example-values.ts'
import { message } from './message.ts'
import { id, messageType, timestamp } from './primitives.ts'
import { defineRoute } from './route.ts'
import { sealed, sealedNickname } from './sealed.ts'
import { account } from './user.ts'

export const exportAccount = defineRoute({
  method: 'POST',
  path: '/api/export/account',
  service: 'auth',
  access: 'step-up',
  summary: 'Everything auth stores that the owner of the account may see. Once a UTC day.',
  body: z.strictObject({ password: z.string().min(1).max(1024) }),
  example: { body: { password: exampleValues.password } },
  responses: { 200: z.object({ account, sessions: z.array(listedSession) }) },
  errors: ['wrong_credentials', 'too_many_requests'],
  rate: { perPerson: { points: 20, seconds: 60 } },
})

const exportedPage = z.object({
  conversationId: id,
  with: z.string().describe('The username of the other member.'),
  nickname: sealedNickname.optional(),
  messages: z.array(
    z.object({
      sentByMe: z.boolean(),
      content: z.string().describe('Empty for a deleted message; sealed if `sealed` says so.'),
      messageType,
      createdAt: timestamp,
      clientMessageId: id,
      mediaUrl: z.string().nullable(),
      sealed: sealed.optional(),
      edit: message.shape.edit,
      reactions: message.shape.reactions,
      isUnsent: message.shape.isUnsent,
      vanishMs: message.shape.vanishMs,
      isVanished: message.shape.isVanished,
      isOnce: message.shape.isOnce,
      isOpened: message.shape.isOpened,
    }),
  ),
})

export const exportMessages = defineRoute({
  method: 'GET',
  path: '/api/export/messages',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Streams what the conversations show to the caller, at most 200 messages an element; the last element says that it is complete. Nothing is stored.',
  responses: { 200: z.array(z.union([exportedPage, z.object({ complete: z.literal(true) })])) },
  errors: [],
  deadlineMs: 10_000,
  rate: { perPerson: { points: 5, seconds: 86_400 } },
})

export type ExportedPage = z.output<typeof exportedPage>
