import { listChanges as changesContract } from '@sumlock/contracts/changes-routes'
import * as contract from '@sumlock/contracts/messaging-routes'
import { exportMessages as exportContract } from '@sumlock/contracts/export-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { AppError } from '@sumlock/service-kit/app-error'
import { JsonStream, Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { toMessage } from '../domain/message.ts'
import { asShownTo } from '../domain/vanishing.ts'
import { deleteConversation } from '../use-cases/delete-conversation.ts'
import { exportMessages } from '../use-cases/export-messages.ts'
import { listChanges } from '../use-cases/list-changes.ts'
import { listConversations } from '../use-cases/list-conversations.ts'
import { listKeys } from '../use-cases/list-keys.ts'
import { listMessages } from '../use-cases/list-messages.ts'
import { markRead } from '../use-cases/mark-read.ts'
import { closeOnce, openOnce } from '../use-cases/open-once.ts'
import { sendMessage } from '../use-cases/send-message.ts'
import { startConversation } from '../use-cases/start-conversation.ts'
import { readerOf } from './reader-of.ts'
import { getConversation, viewConversation } from '../use-cases/view-conversations.ts'

export function bindMessagingRoutes(bind: RouteBinder, ctx: Context): void {
  // This route comes first, because Express tries routes in this order and most requests are sends.
  bind(contract.sendMessage, async ({ body, caller }) => {
    const { record, isNew, isRead } = await sendMessage(ctx, {
      senderId: caller.userId,
      conversationId: body.conversationId,
      content: body.content ?? '',
      messageType: body.messageType ?? 'text',
      mediaUrl: body.mediaUrl,
      clientMessageId: body.clientMessageId,
      sealed: body.sealed,
      vanishMs: body.vanishMs,
      isOnce: body.isOnce,
    }).catch(countRefusal(ctx.metrics))
    const shown = toMessage(asShownTo(caller.userId, record, ctx.clock.now()), isRead)
    if (!isNew) {
      if (!record.isUnstored) await ctx.messagePublisher.moveRows(record)
      return new Reply(200, shown)
    }
    await ctx.messagePublisher.publish(record)
    return new Reply(201, shown)
  })

  bind(contract.listConversations, ({ caller, query }) =>
    listConversations(ctx, { userId: caller.userId, ...query }),
  )

  bind(changesContract, ({ caller, query }) => listChanges(ctx, { userId: caller.userId, ...query }))

  bind(contract.getConversation, ({ caller, params }) => getConversation(ctx, caller.userId, params.id))

  bind(contract.startConversation, async ({ body, caller }) => {
    const { userId } = caller
    const { conversationId, isNew } = await startConversation(ctx, { userId, userCode: body.userCode })
    return new Reply(isNew ? 201 : 200, await viewConversation(ctx, userId, conversationId))
  })

  bind(contract.listMessages, ({ params, query, caller }) =>
    listMessages(ctx, { userId: caller.userId, conversationId: params.id, ...query }),
  )

  bind(contract.listKeys, async ({ params, caller }) => ({
    keys: await listKeys(ctx, { userId: caller.userId, conversationId: params.id }),
  }))

  bind(contract.deleteConversation, async ({ params, caller }) => {
    await deleteConversation(ctx, { userId: caller.userId, conversationId: params.id })
    return { ok: true as const }
  })

  bind(exportContract, ({ caller }) => new JsonStream(exportMessages(ctx, caller)))

  bind(contract.markRead, ({ params, body, caller }) =>
    markRead(ctx, { userId: caller.userId, conversationId: params.id, seq: body.seq }),
  )

  bind(contract.openOnce, ({ params, caller }) =>
    openOnce(ctx, { ...readerOf(caller), messageId: params.id }),
  )

  bind(contract.closeOnce, async ({ params, caller: { sessionId } }) => {
    await closeOnce(ctx, { messageId: params.id, sessionId })
    return { ok: true as const }
  })
}

const countRefusal =
  ({ refusals }: Context['metrics']) =>
  (error: unknown): never => {
    if (error instanceof AppError) refusals.inc({ code: error.code })
    throw error
  }
