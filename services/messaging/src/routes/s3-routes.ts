import type { IncomingMessage } from 'node:http'
import * as contract from '@sumlock/contracts/s3-routes'
import { limits } from '@sumlock/contracts/limits'
import { unavailable } from '@sumlock/service-kit/app-error'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { mediaNotFound } from '../domain/errors.ts'
import { objectPathOf } from '../domain/media.ts'
import { signatureOf } from '../domain/multipart.ts'
import { completeMultipart } from '../use-cases/complete-multipart.ts'
import { createMultipart } from '../use-cases/create-multipart.ts'
import { receivePart } from '../use-cases/receive-part.ts'
import { requestUpload } from '../use-cases/request-upload.ts'
import { originOf } from './origin-of.ts'

/** Binds the routes that Uppy expects of its companion server. They upload files of our own users. */
export function bindS3Routes(bind: RouteBinder, ctx: Context): void {
  const { multiparts, clock } = ctx

  bind(contract.createMultipart, ({ caller }) => createMultipart(ctx, caller))

  bind(contract.listParts, async ({ params, query, caller }) => {
    const row = await multiparts.findOpen({ ...params, ...query, ownerId: caller.userId }, clock.now())
    if (!row) throw mediaNotFound()
    const { storeKey, storeUploadId } = row.multipart
    const { multipartBucket } = ctx
    return multipartBucket.listParts(storeKey, storeUploadId).catch((error: unknown) => {
      throw unavailable('the media store', error)
    })
  })

  bind(contract.signPart, async ({ params: { uploadId, partNumber }, query: { key }, caller, meta }) => {
    const row = await multiparts.findOpen({ key, uploadId, ownerId: caller.userId }, clock.now())
    if (!row) throw mediaNotFound()
    const until = String(clock.now().getTime() + limits.uploadLifetimeSeconds * 1000)
    const { sessionId } = caller
    const signature = signatureOf(row.multipart.secret, { sessionId, number: partNumber, until })
    const path = `${objectPathOf(key)}/parts/${partNumber}?until=${until}&signature=${signature}`
    return { url: originOf(ctx, meta.host) + path, expires: limits.uploadLifetimeSeconds }
  })

  bind(contract.putPart, async ({ params, query, body, caller: { userId, sessionId } }) => {
    const input = { ...params, ...query, userId, sessionId, body: body as IncomingMessage }
    return new Reply(200, { ok: true as const }, { etag: await receivePart(ctx, input) })
  })

  bind(contract.completeMultipart, async ({ params, query: { key }, body, caller, meta }) => {
    await completeMultipart(ctx, { ...params, key, ownerId: caller.userId, parts: body.parts })
    return { location: originOf(ctx, meta.host) + objectPathOf(key) }
  })

  bind(contract.abortMultipart, async ({ params, query, caller }) => {
    if (!(await multiparts.abort({ ...params, ...query, ownerId: caller.userId }, clock.now())))
      throw mediaNotFound()
    return {}
  })

  bind(contract.getUploadParameters, async ({ caller: { userId, sessionId }, meta }) => {
    const key = await requestUpload(ctx, { userId, sessionId })
    return {
      ...{ method: 'PUT' as const, fields: {}, headers: { 'content-type': 'application/octet-stream' } },
      url: originOf(ctx, meta.host) + objectPathOf(key),
    }
  })
}
