import * as contract from '@sumlock/contracts/messaging-routes'
import { exportMessages as exportContract } from '@sumlock/contracts/export-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { AppError } from '@sumlock/service-kit/app-error'
import { JsonStream, RawJson, Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { toMessage } from '../domain/message.ts'
import { deleteConversation } from '../use-cases/delete-conversation.ts'
import { exportMessages } from '../use-cases/export-messages.ts'
import { listConversations, viewConversations } from '../use-cases/list-conversations.ts'
import { listMessages } from '../use-cases/list-messages.ts'
import { markRead } from '../use-cases/mark-read.ts'
import { sendMessage } from '../use-cases/send-message.ts'
import { startConversation } from '../use-cases/start-conversation.ts'

export function bindMessagingRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.listConversations, ({ caller }) => listConversations(ctx, caller))

  bind(contract.startConversation, async ({ body, caller }) => {
    const { userId } = caller
    const { conversationId, isNew } = await startConversation(ctx, { userId, userCode: body.userCode })
    const [view] = await viewConversations(ctx, userId, [conversationId])
    return new Reply(isNew ? 201 : 200, view as NonNullable<typeof view>)
  })

  bind(contract.listMessages, ({ params, query, caller }) =>
    listMessages(ctx, { userId: caller.userId, conversationId: params.id, ...query }),
  )

  bind(contract.deleteConversation, async ({ params, caller }) => {
    await deleteConversation(ctx, { userId: caller.userId, conversationId: params.id })
    return { ok: true as const }
  })

  bind(exportContract, ({ caller }) => new JsonStream(exportMessages(ctx, caller)))

  bind(contract.markRead, ({ params, body, caller }) =>
    markRead(ctx, { userId: caller.userId, conversationId: params.id, seq: body.seq }),
  )

  bind(contract.sendMessage, async ({ body, caller }) => {
    const { record, isNew, isRead } = await sendMessage(ctx, {
      senderId: caller.userId,
      conversationId: body.conversationId,
      content: body.content ?? '',
      messageType: body.messageType,
      mediaUrl: body.mediaUrl,
      clientMessageId: body.clientMessageId,
    }).catch(countRefusal(ctx.metrics))
    if (!isNew) return new Reply(200, toMessage(record, isRead))
    return new Reply<contract.Message>(201, new RawJson(ctx.messagePublisher.publish(record)))
  })
}

const countRefusal =
  ({ refusals }: Context['metrics']) =>
  (error: unknown): never => {
    if (error instanceof AppError) refusals.inc({ code: error.code })
    throw error
  }
