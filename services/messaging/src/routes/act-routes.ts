import { changeMessage } from '@sumlock/contracts/act-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { editMessage } from '../use-cases/edit-message.ts'
import { unsendMessage } from '../use-cases/unsend-message.ts'

export function bindActRoutes(bind: RouteBinder, ctx: Context): void {
  bind(changeMessage, async ({ params, body, caller: { userId } }) => {
    const act = { userId, conversationId: params.id, target: body.target }
    const { message, isNew } =
      body.act === 'unsend'
        ? await unsendMessage(ctx, { ...act, mediaUrl: body.mediaUrl })
        : await editMessage(ctx, {
            ...act,
            ...{ clientMessageId: body.clientMessageId, replaces: body.replaces },
            ...{ content: body.content, sealed: body.sealed },
          })
    return new Reply(isNew ? 201 : 200, message)
  })
}
