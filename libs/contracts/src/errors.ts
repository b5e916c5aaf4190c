import { z } from 'zod'
import { message } from './message.ts'

/** The kind of an error decides its HTTP status, its socket answer, and whether a consumer retries or dead-letters. */
export const statusOfKind = {
  invalid: 400,
  unauthenticated: 401,
  'payment-required': 402,
  forbidden: 403,
  'not-found': 404,
  'too-slow': 408,
  conflict: 409,
  'length-required': 411,
  'too-large': 413,
  'unsupported-media': 415,
  'range-not-satisfiable': 416,
  locked: 423,
  'rate-limited': 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorKind = keyof typeof statusOfKind

/**
 * All error codes with their kinds and their meaning for the author of a client. The browser does not load them,
 * because they reveal the product.
 */
export const errorCatalogue = {
  invalid_request: { kind: 'invalid', meaning: 'A field is not valid; `fields` names it.' },
  invalid_json: { kind: 'invalid', meaning: 'The body is not JSON.' },
  unsupported_content_type: {
    kind: 'unsupported-media',
    meaning: 'The content type is not `application/json`.',
  },
  body_too_large: { kind: 'too-large', meaning: 'The body is larger than its route allows.' },
  length_required: { kind: 'length-required', meaning: 'The request does not state the length of its body.' },
  request_too_slow: {
    kind: 'too-slow',
    meaning: 'The body took too long to arrive, or was incomplete.',
  },
  bad_path: { kind: 'invalid', meaning: 'The path is ambiguous: it can be read in more than one way.' },
  no_session: {
    kind: 'unauthenticated',
    meaning: 'The request has no valid session. 401 means nothing else.',
  },
  wrong_credentials: {
    kind: 'forbidden',
    meaning: 'The username or the password is wrong; the answer does not say which.',
  },
  account_suspended: {
    kind: 'forbidden',
    meaning: 'The password is right, and an admin has suspended the account.',
  },
  csrf_failed: { kind: 'forbidden', meaning: 'The CSRF token is missing or belongs to another session.' },
  origin_refused: { kind: 'forbidden', meaning: 'The request comes from another origin.' },
  not_allowed: { kind: 'forbidden', meaning: 'The caller is not allowed to do this.' },
  step_up_required: {
    kind: 'forbidden',
    meaning:
      'The session has to be unlocked, or signed in with the account password within the last 15 minutes.',
  },
  number_not_given: {
    kind: 'forbidden',
    meaning:
      'The right numeric password was never given in this session, so it cannot sign out sessions in which it was given. Unlock it first.',
  },
  not_found: { kind: 'not-found', meaning: 'The resource does not exist.' },
  locked: { kind: 'locked', meaning: 'The session has to be unlocked with the numeric password first.' },
  wrong_pin: {
    kind: 'forbidden',
    meaning: 'The entry is wrong, or entries are paused; the answer is the same.',
  },
  boxes_required: {
    kind: 'conflict',
    meaning: 'The account has keys: the change needs a new box for each, made with the present `pinVersion`.',
  },
  keys_changed: {
    kind: 'conflict',
    meaning: 'The message was sealed with a former key of a member. The conversation has the present one.',
  },
  key_conflict: {
    kind: 'conflict',
    meaning: 'Another key was stored, or the numeric password was changed. Read the keys again.',
  },
  too_many_keys: {
    kind: 'conflict',
    meaning: 'The person has reached the limit of keys, former ones included. No other key can be added.',
  },
  known_key_conflict: {
    kind: 'conflict',
    meaning: 'The record of the known key has another version by now. Read it and merge.',
  },
  too_many_known_keys: {
    kind: 'conflict',
    meaning: 'The caller has as many records of known keys as one person can have.',
  },
  recent_unlock_required: {
    kind: 'forbidden',
    meaning: 'The session has to be locked and unlocked again: keys are stored within a minute of an unlock.',
  },
  pin_already_set: { kind: 'conflict', meaning: 'The account already has a numeric password.' },
  username_taken: { kind: 'conflict', meaning: 'Another account has this username.' },
  phone_not_verified: { kind: 'forbidden', meaning: 'This browser has not verified this phone number.' },
  phone_country_not_served: {
    kind: 'invalid',
    meaning: 'This deployment sends no codes to numbers of this country.',
  },
  wrong_code: { kind: 'forbidden', meaning: 'The code is wrong; more guesses are allowed.' },
  code_expired: {
    kind: 'forbidden',
    meaning: 'No code was requested, it has expired, or no guesses are left.',
  },
  link_invalid: {
    kind: 'forbidden',
    meaning:
      'The token of the mail is wrong, used, replaced by a newer one, or has expired; the answer is the same.',
  },
  too_many_requests: { kind: 'rate-limited', meaning: 'Too many requests. Try again later.' },
  unknown_user_code: { kind: 'not-found', meaning: 'No account has this user code.' },
  own_user_code: { kind: 'invalid', meaning: 'The user code is the caller’s own.' },
  conversation_not_found: {
    kind: 'not-found',
    meaning: 'The conversation does not exist, or the caller is not a member; the answer is the same.',
  },
  message_not_found: {
    kind: 'not-found',
    meaning:
      'One of the messages is not in this conversation, or the caller is not shown it or may not change it.',
  },
  act_too_late: {
    kind: 'conflict',
    meaning: 'The message was sent more than 24 hours ago, so it cannot be changed any more.',
  },
  already_opened: {
    kind: 'conflict',
    meaning: 'The message was opened before, in another session or before a lock, or its time is over.',
  },
  timer_replaced: {
    kind: 'conflict',
    meaning: 'The timer was changed since the caller read it. Read the conversation again.',
  },
  act_replaced: {
    kind: 'conflict',
    meaning: 'The present content comes from another act than `replaces` names. `message` has it.',
  },
  too_many_edits: {
    kind: 'conflict',
    meaning: 'The message was edited as often as possible: five times, and once if it was the free one.',
  },
  message_unsent: {
    kind: 'conflict',
    meaning: 'The message was taken back or has vanished, so it cannot be changed. `message` has it.',
  },
  too_many_reports: { kind: 'rate-limited', meaning: 'The caller has sent all reports of this UTC day.' },
  client_message_id_reused: {
    kind: 'conflict',
    meaning: 'This clientMessageId was used for a message with different content.',
  },
  media_not_found: {
    kind: 'not-found',
    meaning: 'The media does not exist, or does not belong to the caller.',
  },
  parts_invalid: {
    kind: 'invalid',
    meaning: 'The named parts differ from the uploaded ones, or are too small. The upload stays open.',
  },
  range_not_satisfiable: {
    kind: 'range-not-satisfiable',
    meaning: 'The range lies behind the end of the file, or there is more than one.',
  },
  storage_full: {
    kind: 'too-large',
    meaning: 'The caller’s media, unfinished uploads included, take all of the caller’s storage.',
  },
  daily_limit_reached: {
    kind: 'payment-required',
    meaning:
      'Today’s free message is used and neither member has premium. `resetsAt` is when the next one is available.',
  },
  person_gone: {
    kind: 'forbidden',
    meaning: 'One of the two people is deleting the account: nothing can be sent.',
  },
  deletion_scheduled: {
    kind: 'forbidden',
    meaning: 'The account will be deleted: it has to be kept before it can be unlocked.',
  },
  grant_id_reused: {
    kind: 'conflict',
    meaning: 'This grantId was used for another person or another number of days.',
  },
  payment_unavailable: {
    kind: 'unavailable',
    meaning:
      'This deployment takes no payments, or the payment provider does not answer. Nothing was charged.',
  },
  payment_not_found: { kind: 'not-found', meaning: 'The caller has no payment with this id.' },
  upgrade_code_unknown: {
    kind: 'not-found',
    meaning:
      'No gift has this code, or it has expired or was refunded. The sentence is the same as for a used code.',
  },
  upgrade_code_used: { kind: 'conflict', meaning: 'Someone else has redeemed the code.' },
  purchase_invalid: {
    kind: 'invalid',
    meaning:
      'The store does not confirm the purchase, or it belongs to another app or product. Nothing was changed.',
  },
  purchase_taken: { kind: 'conflict', meaning: 'The store subscription belongs to another account.' },
  store_unavailable: {
    kind: 'unavailable',
    meaning:
      'The store does not answer, or this deployment is not connected to it. The purchase can be sent again.',
  },
  signature_invalid: { kind: 'invalid', meaning: 'The signature of a webhook is missing, wrong or too old.' },
  unavailable: { kind: 'unavailable', meaning: 'A required service is unavailable. Try again.' },
  internal_error: { kind: 'internal', meaning: 'An unexpected server error.' },
} as const satisfies Record<string, { kind: ErrorKind; meaning: string }>

export type ErrorCode = keyof typeof errorCatalogue
export type KindOf<C extends ErrorCode> = (typeof errorCatalogue)[C]['kind']

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]

export const errorBody = z
  .object({
    error: z.string().describe('A sentence for a person.'),
    code: z.enum(errorCodes),
    requestId: z.string().describe('Also logged by every service that handled the request.'),
    resetsAt: z.iso
      .datetime()
      .optional()
      .describe('402 only: when the free message of the next UTC day becomes available.'),
    fields: z
      .record(z.string(), z.string())
      .optional()
      .describe('400 only: a sentence for each invalid field, by path.'),
    message: message
      .optional()
      .describe('`act_replaced` and `message_unsent` only: the message as the caller is shown it.'),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' })

export type ErrorBody = z.infer<typeof errorBody>
