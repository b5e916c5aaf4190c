import { z } from 'zod'
import { conversationHeader } from './conversation-header.ts'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { message } from './message.ts'
import { pageNumber } from './page-number.ts'
import { id, seq, timestamp, userCode, vanishMs } from './primitives.ts'
import { withoutNul } from './storable-text.ts'
import { defineRoute } from './route.ts'
import { publicKey, sealedNickname } from './sealed.ts'
import { sendMessageBody } from './send-message-body.ts'

export const conversation = z
  .object({
    id,
    otherUser: z.object({
      id,
      keys: z
        .array(publicKey)
        .optional()
        .describe('The newest key; none before the first unlock in a browser.'),
      username: z.string(),
      userCode: z.string(),
      isGone: z
        .boolean()
        .optional()
        .describe('True while this person is deleting the account: nothing can be sent.'),
    }),
    activeAt: timestamp.describe(
      'Sorts the list. Later than `lastMessageAt` after a message that the caller is not shown.',
    ),
    lastMessageAt: timestamp.nullable(),
    lastMessage: message
      .pick({ content: true, messageType: true, senderId: true, seq: true, isRead: true, sealed: true })
      .extend(message.pick({ clientMessageId: true, mediaUrl: true }).partial().shape)
      .extend(message.pick({ edit: true, isUnsent: true }).shape)
      .extend(
        message.pick({ vanishMs: true, vanishAt: true, isVanished: true, isOnce: true, isOpened: true })
          .shape,
      )
      .nullable(),
    lastSeq: z.number().int().min(0),
    unreadCount: z.number().int().min(0),
    readSeq: z.number().int().min(0).describe('The caller has read or deleted the messages up to this one.'),
    createdAt: timestamp,
    version: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('How many changes of messages the caller can read by `changedSince`; 0 when absent.'),
    isMuted: z.boolean().optional().describe('The caller muted it.'),
    nickname: sealedNickname.optional(),
    isBlocked: z
      .boolean()
      .optional()
      .describe('The caller blocked it: what the other member sends is a deleted message to the caller.'),
    isRequest: z
      .boolean()
      .optional()
      .describe('The other member began it, and the caller has not accepted it: no preview, nothing unread.'),
    timer: z
      .object({
        id: id.describe('The change that set it; the next one names it as `replaces`.'),
        by: id.describe('The member who set it.'),
        vanishMs: vanishMs.nullable().describe('Null when messages do not vanish.'),
        at: timestamp,
        afterSeq: z.number().int().min(0).describe('It was set after this message.'),
      })
      .optional()
      .describe('The default for the next messages. Each message has its own time; this one changes none.'),
    canSend: z.boolean(),
    unlimited: z.boolean().describe('True if either member has premium; the answer does not say which.'),
    messagesRemaining: z
      .number()
      .int()
      .min(0)
      .describe('Free messages left today; has no meaning while `unlimited`.'),
  })
  .meta({ id: 'Conversation', description: 'A conversation as its caller sees it.' })

export const listConversations = defineRoute({
  method: 'GET',
  path: '/api/conversations',
  service: 'messaging',
  access: 'unlocked',
  summary: `The ${limits.pageOfConversations} latest conversations of the caller, or the page after \`before\`; latest first.`,
  query: z.strictObject({
    before: z
      .string()
      .regex(/^\d{13}_[0-9a-f-]{36}$/)
      .optional()
      .describe(
        'Where the page before ended: `activeAt` in milliseconds since 1970, `_` and `id` of its last conversation.',
      ),
    search: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .regex(withoutNul)
      .optional()
      .describe(
        'Only conversations with a person whose username or user code contains this, and those with a nickname, which the client opens.',
      ),
  }),
  responses: { 200: z.array(conversation) },
  errors: [],
})

export const getConversation = defineRoute({
  method: 'GET',
  path: '/api/conversations/:id',
  service: 'messaging',
  access: 'unlocked',
  summary: 'One conversation that the list of the caller contains, on whatever page.',
  params: z.object({ id }),
  example: { params: { id: exampleValues.conversationId } },
  responses: { 200: conversation },
  errors: ['conversation_not_found'],
})

export const startConversation = defineRoute({
  method: 'POST',
  path: '/api/conversations',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Opens the conversation with this person; 200 if it already exists.',
  body: z.strictObject({ userCode }),
  example: { body: { userCode: exampleValues.userCode } },
  responses: { 201: conversation, 200: conversation },
  errors: ['unknown_user_code', 'own_user_code'],
  rate: { perPerson: { points: 20, seconds: 3600 }, counts: 'unknown_user_code' },
})

const position = pageNumber(0, 9_999_999_999)

export const listMessages = defineRoute({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Messages in ascending order of `seq`: the newest page, or the page after `after`, or the page before `before`. With `changedSince` the changed messages in ascending order of `version`.',
  params: z.object({ id }),
  query: z.strictObject({
    before: position.optional(),
    after: position.optional(),
    changedSince: position
      .optional()
      .describe('Only messages with a higher `version`. `after` and `before` are then ignored.'),
    limit: pageNumber(1, limits.historyMaxLimit)
      .default(limits.historyDefaultLimit)
      .describe(`${limits.historyDefaultLimit} when absent.`),
  }),
  example: { params: { id: exampleValues.conversationId } },
  responses: { 200: z.array(message) },
  errors: ['conversation_not_found'],
})

export const listKeys = defineRoute({
  method: 'GET',
  path: '/api/conversations/:id/keys',
  service: 'messaging',
  access: 'unlocked',
  summary: 'All public keys of the other member, ascending by epoch.',
  params: z.object({ id }),
  example: { params: { id: exampleValues.conversationId } },
  responses: { 200: z.object({ keys: z.array(publicKey) }) },
  errors: ['conversation_not_found'],
})

export const deleteConversation = defineRoute({
  method: 'DELETE',
  path: '/api/conversations/:id',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Deletes the conversation and its messages for the caller alone. The next message of either side lists it again, with nothing from before.',
  params: z.object({ id }),
  example: { params: { id: exampleValues.conversationId } },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['conversation_not_found'],
})

export const markRead = defineRoute({
  method: 'POST',
  path: '/api/conversations/:id/read',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Moves the reader’s watermark forward; it never moves backward.',
  params: z.object({ id }),
  body: z.strictObject({ seq }),
  example: { params: { id: exampleValues.conversationId }, body: { seq: 1 } },
  responses: { 200: z.object({ lastReadSeq: z.number().int().min(0) }) },
  errors: ['conversation_not_found'],
})

export const sendMessage = defineRoute({
  method: 'POST',
  path: '/api/messages',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Stores a message: 201 when it is new, 200 when this clientMessageId is already stored.',
  body: sendMessageBody,
  replicaHeader: conversationHeader,
  example: { body: { conversationId: exampleValues.conversationId, content: 'Hello' } },
  responses: { 201: message, 200: message },
  errors: [
    'conversation_not_found',
    'person_gone',
    'daily_limit_reached',
    'media_not_found',
    'keys_changed',
    'client_message_id_reused',
  ],
  rate: { burst: { points: 60, seconds: 10 }, volume: { points: 10_000, seconds: 86_400 } },
})

export const openOnce = defineRoute({
  method: 'POST',
  path: '/api/messages/:id/open',
  service: 'messaging',
  access: 'unlocked',
  summary: `Opens a message that can be opened once, for the session of its receiver that asks first. This session can read the file until it closes it or is locked, for at most ${limits.openOnceMinutes} minutes.`,
  params: z.object({ id }),
  example: { params: { id: exampleValues.clientMessageId } },
  responses: { 200: message },
  errors: ['message_not_found', 'already_opened'],
})

export const closeOnce = defineRoute({
  method: 'DELETE',
  path: '/api/messages/:id/open',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Ends the reading that `POST` began, and erases the message. Only the session that opened it can.',
  params: z.object({ id }),
  example: { params: { id: exampleValues.clientMessageId } },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['message_not_found'],
})

export type Message = z.infer<typeof message>
export type Conversation = z.infer<typeof conversation>
