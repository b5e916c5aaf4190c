import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { fileName } from './primitives.ts'
import { byteStream } from './route-body.ts'
import { defineRoute } from './route.ts'
import { begunUploads, objectKey, stalledTransferMs } from './media-routes.ts'

/** The service tries the store twice within this time. */
const storeMs = 10_000
const notStored = 'Neither stored nor logged: the bytes are opaque.'

const uploadId = z.string().regex(/^[\w-]{24}$/, 'This is not the id of an upload.')
const partNumber = z
  .string()
  .regex(/^(?:[1-9]\d{0,3}|10000)$/, `The number of a part is from 1 to ${limits.uploadParts}.`)
const ofUpload = { params: z.object({ uploadId }), query: z.strictObject({ key: objectKey }) }
const example = { params: { uploadId: exampleValues.uploadId }, query: { key: exampleValues.objectKey } }

export const createMultipart = defineRoute({
  method: 'POST',
  path: '/api/s3/multipart',
  service: 'messaging',
  access: 'unlocked',
  summary: `Begins an upload in parts, which is given up unless it is completed within ${limits.multipartHours} hours.`,
  body: z.strictObject({
    filename: fileName.optional().describe(notStored),
    type: z.string().max(255).optional().describe(notStored),
    metadata: z.looseObject({}).optional().describe(notStored),
  }),
  deadlineMs: storeMs,
  example: { body: { filename: 'picture.png', type: 'image/png' } },
  responses: { 200: z.object({ key: z.string(), uploadId: z.string() }) },
  errors: ['storage_full'],
  rate: begunUploads,
})

export const listParts = defineRoute({
  method: 'GET',
  path: '/api/s3/multipart/:uploadId',
  service: 'messaging',
  access: 'unlocked',
  summary: 'The parts that are there.',
  ...ofUpload,
  deadlineMs: storeMs,
  example,
  responses: {
    200: z.array(z.object({ PartNumber: z.number().int(), Size: z.number().int(), ETag: z.string() })),
  },
  errors: ['media_not_found'],
})

export const signPart = defineRoute({
  method: 'GET',
  path: '/api/s3/multipart/:uploadId/:partNumber',
  service: 'messaging',
  access: 'unlocked',
  summary: 'The address to which this session can PUT the part within 15 minutes.',
  ...ofUpload,
  params: z.object({ uploadId, partNumber }),
  example: { ...example, params: { ...example.params, partNumber: '1' } },
  responses: { 200: z.object({ url: z.url(), expires: z.number().int().describe('Seconds.') }) },
  errors: ['media_not_found'],
})

export const putPart = defineRoute({
  method: 'PUT',
  path: '/api/objects/:key/parts/:partNumber',
  service: 'messaging',
  access: 'unlocked',
  isSignedAddress: true,
  summary: 'Stores one part and answers its `ETag` as a header. Sent again, it replaces the former one.',
  params: z.object({ key: objectKey, partNumber }),
  query: z.strictObject({
    until: z.string().regex(/^\d{13}$/, 'The address is not valid.'),
    signature: z.string().regex(/^[\w-]{43}$/, 'The address is not valid.'),
  }),
  body: byteStream,
  bodyMaxBytes: limits.objectMaxBytes,
  deadlineMs: stalledTransferMs,
  example: {
    params: { key: exampleValues.objectKey, partNumber: '1' },
    query: { until: '1795600000000', signature: exampleValues.knownKeyName },
  },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['media_not_found', 'length_required', 'storage_full'],
})

export const completeMultipart = defineRoute({
  method: 'POST',
  path: '/api/s3/multipart/:uploadId/complete',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Makes one file of all parts. `PUT /api/media` and messages take its `location`.',
  ...ofUpload,
  body: z.strictObject({
    parts: z
      .array(
        z.object({
          PartNumber: z.number().int().min(1).max(limits.uploadParts),
          ETag: z.string().min(1).max(128),
        }),
      )
      .min(1)
      .max(limits.uploadParts),
  }),
  bodyMaxBytes: 1024 * 1024,
  deadlineMs: storeMs,
  example: { ...example, body: { parts: [{ PartNumber: 1, ETag: '"5d41402abc4b2a76b9719d911017c592"' }] } },
  responses: { 200: z.object({ location: z.url() }) },
  errors: ['media_not_found', 'parts_invalid'],
})

export const abortMultipart = defineRoute({
  method: 'DELETE',
  path: '/api/s3/multipart/:uploadId',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Gives an upload up and removes its parts.',
  ...ofUpload,
  example,
  responses: { 200: z.object({}) },
  errors: ['media_not_found'],
})

export const getUploadParameters = defineRoute({
  method: 'GET',
  path: '/api/s3/params',
  service: 'messaging',
  access: 'unlocked',
  summary: 'Reserves storage for one file, as `POST /api/objects/upload` does, and answers how to upload it.',
  query: z.strictObject({
    filename: fileName.optional().describe(notStored),
    type: fileName.optional().describe(notStored),
    'metadata[name]': fileName.optional().describe(notStored),
    'metadata[type]': fileName.optional().describe(notStored),
    'metadata[caption]': fileName.optional().describe(notStored),
    'metadata[relativePath]': fileName.optional().describe(notStored),
  }),
  responses: {
    200: z.object({
      method: z.literal('PUT'),
      url: z.url(),
      fields: z.object({}),
      headers: z.record(z.string(), z.string()),
    }),
  },
  errors: ['storage_full'],
  rate: begunUploads,
})
