import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { id } from './primitives.ts'
import { byteStream } from './route-body.ts'
import { defineRoute } from './route.ts'

/** An upload or download ends after this time without a byte, ms. A phone may lose its connection for a while. */
export const stalledTransferMs = 25_000
const firstBytesMs = 10_000
/**
 * Beginning an upload writes a row and, for an upload in parts, calls the store, so it is limited. The hourly limit
 * allows the some hundred photos of a long journey.
 */
export const begunUploads = { burst: { points: 120, seconds: 10 }, perPerson: { points: 600, seconds: 3600 } }
export const objectKey = z.string().regex(/^[\w-]{24}$/, 'This is not the name of a file.')
const mediaUrl = z.string().min(1).max(512)

export const requestUpload = defineRoute({
  method: 'POST',
  path: '/api/objects/upload',
  service: 'messaging',
  access: 'unlocked',
  summary:
    'Reserves storage and answers the address to which this session can PUT one file within 15 minutes.',
  body: z
    .strictObject({
      size: z.number().int().min(1).max(limits.objectMaxBytes).optional(),
      type: z.string().max(255).optional().describe('Not stored: the bytes are opaque.'),
      conversationId: id.optional().describe('Refuses early with 402 where the message could not be sent.'),
    })
    .optional(),
  example: { body: { size: 5 } },
  responses: { 201: z.object({ uploadURL: z.url() }) },
  errors: ['conversation_not_found', 'daily_limit_reached', 'person_gone', 'storage_full'],
  rate: begunUploads,
})

export const putObject = defineRoute({
  method: 'PUT',
  path: '/api/objects/:key',
  service: 'messaging',
  access: 'unlocked',
  isSignedAddress: true,
  summary: 'Stores the file of an upload. Sent again, it replaces the first until it is registered.',
  params: z.object({ key: objectKey }),
  body: byteStream,
  bodyMaxBytes: limits.objectMaxBytes,
  deadlineMs: stalledTransferMs,
  example: { params: { key: exampleValues.objectKey } },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['media_not_found', 'length_required', 'storage_full'],
})

export const getObject = defineRoute({
  method: 'GET',
  path: '/api/objects/:key',
  service: 'messaging',
  access: 'unlocked',
  summary: 'The bytes of a file, or the one range that is asked for, to those who are shown its message.',
  params: z.object({ key: objectKey }),
  deadlineMs: firstBytesMs,
  example: { params: { key: exampleValues.objectKey } },
  responses: { 200: byteStream, 206: byteStream },
  errors: ['media_not_found', 'range_not_satisfiable'],
})

export const registerMedia = defineRoute({
  method: 'PUT',
  path: '/api/media',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Completes an upload: its file cannot be replaced any more.',
  body: z.strictObject({ mediaUrl: mediaUrl.describe('The `uploadURL` or the `objectPath`.') }),
  example: { body: { mediaUrl: `/api/objects/${exampleValues.objectKey}` } },
  responses: { 200: z.object({ objectPath: z.string() }) },
  errors: ['media_not_found'],
})

export const getStorage = defineRoute({
  method: 'GET',
  path: '/api/media/storage',
  service: 'messaging',
  access: 'unlocked',
  summary: 'How much of the storage for media the caller uses.',
  responses: { 200: z.object({ usedBytes: z.number().int().min(0), limitBytes: z.number().int().min(0) }) },
  errors: [],
})
