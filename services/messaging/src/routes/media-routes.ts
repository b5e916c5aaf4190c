import type { IncomingMessage } from 'node:http'
import * as contract from '@sumlock/contracts/media-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { mediaNotFound } from '../domain/errors.ts'
import { keyInUrl, objectPathOf } from '../domain/media.ts'
import { readMedia } from '../use-cases/read-media.ts'
import { receiveUpload } from '../use-cases/receive-upload.ts'
import { requestUpload, storageLimitOf } from '../use-cases/request-upload.ts'
import { originOf } from './origin-of.ts'
import { readerOf } from './reader-of.ts'

export function bindMediaRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.requestUpload, async ({ body, caller, meta }) => {
    const { userId, sessionId } = caller
    const { size, conversationId } = body ?? {}
    const key = await requestUpload(ctx, { userId, sessionId, size, conversationId })
    return new Reply(201, { uploadURL: `${originOf(ctx, meta.host)}${objectPathOf(key)}` })
  })

  bind(contract.putObject, async ({ params, body, caller: { userId, sessionId } }) => {
    await receiveUpload(ctx, { key: params.key, userId, sessionId, body: body as IncomingMessage })
    return { ok: true as const }
  })

  bind(contract.getObject, ({ params, caller, meta }) =>
    readMedia(ctx, { ...readerOf(caller), key: params.key, range: meta.range }),
  )

  bind(contract.registerMedia, async ({ body, caller }) => {
    const key = keyInUrl(body.mediaUrl)
    if (key === undefined || !(await ctx.media.register(key, caller.userId))) throw mediaNotFound()
    return { objectPath: objectPathOf(key) }
  })

  bind(contract.getStorage, async ({ caller: { userId } }) => ({
    usedBytes: await ctx.mediaUsage.of(userId),
    limitBytes: await storageLimitOf(ctx, userId),
  }))
}
