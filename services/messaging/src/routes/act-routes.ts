import { changeMessage } from '@sumlock/contracts/act-routes'
import type { ActBody } from '@sumlock/contracts/act-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import type { ActInput, AppliedAct } from '../use-cases/apply-act.ts'
import { editMessage } from '../use-cases/edit-message.ts'
import { reactToMessage } from '../use-cases/react-to-message.ts'
import { unsendMessage } from '../use-cases/unsend-message.ts'

export function bindActRoutes(bind: RouteBinder, ctx: Context): void {
  bind(changeMessage, async ({ params, body, caller: { userId } }) => {
    const act = { userId, conversationId: params.id, target: body.target }
    const { message, isNew } = await apply(ctx, act, body)
    return new Reply(isNew ? 201 : 200, message)
  })
}

function apply(ctx: Context, act: ActInput, body: ActBody): Promise<AppliedAct> {
  if (body.act === 'unsend') return unsendMessage(ctx, { ...act, mediaUrl: body.mediaUrl })
  const { clientMessageId, replaces, content, sealed } = body
  const change = { ...act, clientMessageId, replaces, content, sealed }
  return body.act === 'edit' ? editMessage(ctx, change) : reactToMessage(ctx, change)
}
