import type { ExportedPage } from '@sumlock/contracts/export-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { allConversations } from './list-conversations.ts'
import { listMessages } from './list-messages.ts'

/** Yields the messages that a person is shown, page by page; the last element confirms that nothing is missing. */
export async function* exportMessages(
  ctx: Context,
  { userId }: { userId: string },
): AsyncGenerator<ExportedPage | { complete: true }> {
  for await (const { id: conversationId, otherUser, nickname } of allConversations(ctx, userId)) {
    const limit = limits.historyMaxLimit
    for (let after = 0; ;) {
      const page = await listMessages(ctx, { userId, conversationId, after, limit })
      yield {
        conversationId,
        with: otherUser.username,
        ...(nickname === undefined ? {} : { nickname }),
        messages: page.map(exported).map((message) => ({
          sentByMe: message.senderId === userId,
          content: message.content,
          messageType: message.messageType,
          createdAt: message.createdAt,
          clientMessageId: message.clientMessageId,
          mediaUrl: message.mediaUrl,
          ...(message.sealed ? { sealed: message.sealed } : {}),
          ...(message.edit ? { edit: message.edit } : {}),
          ...(message.reactions ? { reactions: message.reactions } : {}),
          ...(message.isUnsent ? { isUnsent: message.isUnsent } : {}),
          ...(message.vanishMs ? { vanishMs: message.vanishMs } : {}),
          ...(message.isVanished ? { isVanished: message.isVanished } : {}),
          ...(message.isOnce ? { isOnce: message.isOnce } : {}),
          ...(message.isOpened ? { isOpened: message.isOpened } : {}),
        })),
      }
      if (page.length < limit) break
      after = page.at(-1)?.seq ?? after
    }
  }
  yield { complete: true }
}

/** A message that opens once leaves no copy. */
const exported = (message: Message): Message =>
  message.isOnce ? { ...message, content: '', mediaUrl: null, sealed: undefined } : message
