import { z } from 'zod'

/** What went wrong, in the one word that decides the HTTP status, the socket answer, and retry or dead letter. */
export const statusOfKind = {
  invalid: 400,
  unauthenticated: 401,
  'payment-required': 402,
  forbidden: 403,
  'not-found': 404,
  'too-slow': 408,
  conflict: 409,
  'too-large': 413,
  'unsupported-media': 415,
  locked: 423,
  'rate-limited': 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorKind = keyof typeof statusOfKind

export const errorCodes = [
  'invalid_request',
  'invalid_json',
  'unsupported_content_type',
  'body_too_large',
  'request_too_slow',
  'bad_path',
  'no_session',
  'wrong_credentials',
  'csrf_failed',
  'origin_refused',
  'not_allowed',
  'step_up_required',
  'not_found',
  'locked',
  'wrong_pin',
  'pin_already_set',
  'username_taken',
  'email_taken',
  'phone_not_verified',
  'wrong_code',
  'code_expired',
  'too_many_requests',
  'unknown_user_code',
  'own_user_code',
  'conversation_not_found',
  'client_message_id_reused',
  'media_not_found',
  'daily_limit_reached',
  'grant_id_reused',
  'unavailable',
  'internal_error',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export const errorBody = z
  .object({
    error: z.string().describe('A sentence for a person.'),
    code: z.enum(errorCodes),
    requestId: z.string().describe('Stands in the logs, too.'),
    resetsAt: z.iso
      .datetime()
      .optional()
      .describe('402 only: when the free message of the next UTC day becomes available.'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe('400 only: a sentence for each field that did not pass, by path.'),
  })
  .meta({ id: 'Error', description: 'The body of every answer that is not a success.' })

export type ErrorBody = z.infer<typeof errorBody>
