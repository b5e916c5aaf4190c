import { z } from 'zod'
import { defineEvent } from './event.ts'
import { message, messageVersion } from './message.ts'
import { id } from './primitives.ts'

const memberIds = z.array(id).length(2)

/** The key is the conversationId. After a crash, records may arrive out of order, so consumers order them by `seq`. */
export const messageSent = defineEvent({
  type: 'messaging.message-sent.v1',
  topic: 'messaging.messages',
  key: (data) => data.message.conversationId,
  data: z.object({
    message,
    memberIds,
    isHidden: z
      .boolean()
      .optional()
      .describe('The recipient blocked the sender: only the sender learns of it.'),
  }),
  summary:
    'A message was durably stored. The event id is the message id. The header `hinted` says that Redis has taken its hints.',
})

/** The key is the conversationId, so that events of one conversation stay in order. */
export const conversationStarted = defineEvent({
  type: 'messaging.conversation-started.v1',
  topic: 'messaging.conversations',
  key: (data) => data.conversationId,
  data: z.object({ conversationId: id, memberIds }),
  summary: 'Two people opened their conversation.',
})

/** The key is the conversationId, so that events of one conversation stay in order. */
export const conversationDeleted = defineEvent({
  type: 'messaging.conversation-deleted.v1',
  topic: 'messaging.conversations',
  key: (data) => data.conversationId,
  data: z.object({ conversationId: id, userId: id }),
  summary: 'A member deleted the conversation for themselves. Only this member learns of it.',
})

/** The key is the conversationId, so that events of one conversation stay in order. */
export const conversationStateChanged = defineEvent({
  type: 'messaging.conversation-state-changed.v1',
  topic: 'messaging.conversations',
  key: (data) => data.conversationId,
  data: z.object({ conversationId: id, userId: id }),
  summary:
    'A member muted, blocked or accepted the conversation, or opened a message without a receipt, or its timer was set. Only this member learns of it.',
})

/** The key is the conversationId, so that events of one conversation stay in order. */
export const messageChanged = defineEvent({
  type: 'messaging.message-changed.v1',
  topic: 'messaging.conversations',
  key: (data) => data.conversationId,
  data: z.object({
    conversationId: id,
    memberIds: z.array(id).min(1).max(2).describe('Only these members are shown the change.'),
    version: messageVersion,
  }),
  summary:
    'A message was edited, taken back or opened, or got a reaction. The event says neither which one nor how.',
})

export const limitsChangedMaxPeople = 500

/** The key is the first person named. */
export const limitsChanged = defineEvent({
  type: 'messaging.limits-changed.v1',
  topic: 'messaging.conversations',
  key: ({ userIds }) => userIds[0] ?? '',
  data: z.object({ userIds: z.array(id).min(1).max(limitsChangedMaxPeople) }),
  summary:
    'Premium began or ended for one of these people. Published after the projection that decides who may send was updated. The list includes the partners, so it does not reveal who pays.',
})
