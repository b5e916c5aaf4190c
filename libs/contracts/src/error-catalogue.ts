import type { ErrorCode, ErrorKind } from './errors.ts'

/** What each code means for whoever writes a client, and the kind that decides its status. Not for the browser. */
export const errorCatalogue = {
  invalid_request: { kind: 'invalid', meaning: 'A field does not pass its contract; `fields` names it.' },
  invalid_json: { kind: 'invalid', meaning: 'The body is not JSON.' },
  unsupported_content_type: {
    kind: 'unsupported-media',
    meaning: 'The body is not plain `application/json`.',
  },
  body_too_large: { kind: 'too-large', meaning: 'The body has more than 64 kB.' },
  request_too_slow: {
    kind: 'too-slow',
    meaning: 'The content took too long to arrive, or did not come whole.',
  },
  bad_path: { kind: 'invalid', meaning: 'The address could be read in more than one way.' },
  no_session: { kind: 'unauthenticated', meaning: 'Nobody is signed in. 401 means nothing else.' },
  wrong_credentials: { kind: 'forbidden', meaning: 'Username or password is wrong; never which.' },
  csrf_failed: { kind: 'forbidden', meaning: 'The CSRF token is missing, or not of this session.' },
  origin_refused: { kind: 'forbidden', meaning: 'The request comes from another site.' },
  not_allowed: { kind: 'forbidden', meaning: 'This caller may not do this.' },
  step_up_required: {
    kind: 'forbidden',
    meaning: 'Needs an unlocked session, or one that signed in with the account password within 15 minutes.',
  },
  not_found: { kind: 'not-found', meaning: 'There is no such thing.' },
  locked: { kind: 'locked', meaning: 'The session has to be unlocked with the numeric password first.' },
  wrong_pin: { kind: 'forbidden', meaning: 'The entry is wrong, or tries are paused: both look alike.' },
  pin_already_set: { kind: 'conflict', meaning: 'There is a numeric password already.' },
  username_taken: { kind: 'conflict', meaning: 'Another account has this username.' },
  email_taken: { kind: 'conflict', meaning: 'Another account has this e-mail address.' },
  phone_not_verified: { kind: 'forbidden', meaning: 'This browser has not proved this phone number.' },
  wrong_code: { kind: 'forbidden', meaning: 'The code is wrong; guesses are left.' },
  code_expired: { kind: 'forbidden', meaning: 'No code is waiting, it is too old, or no guess is left.' },
  too_many_requests: { kind: 'rate-limited', meaning: 'Too often, or too many at once: try again later.' },
  unknown_user_code: { kind: 'not-found', meaning: 'Nobody has this user code.' },
  own_user_code: { kind: 'invalid', meaning: 'It is the caller’s own user code.' },
  conversation_not_found: {
    kind: 'not-found',
    meaning: 'There is no such conversation, or the caller is not in it: both look alike.',
  },
  client_message_id_reused: {
    kind: 'conflict',
    meaning: 'This clientMessageId was used for a message with another content.',
  },
  media_not_found: { kind: 'not-found', meaning: 'The media is not there, or not the caller’s.' },
  daily_limit_reached: {
    kind: 'payment-required',
    meaning:
      'Today’s free message is used, and neither side has premium. `resetsAt` says when the next is due.',
  },
  grant_id_reused: { kind: 'conflict', meaning: 'This grantId was used for another person or length.' },
  unavailable: { kind: 'unavailable', meaning: 'A part behind is down. Nothing was decided: try again.' },
  internal_error: { kind: 'internal', meaning: 'A fault of ours.' },
} as const satisfies Record<ErrorCode, { kind: ErrorKind; meaning: string }>

/** The one kind a code goes with. */
export type KindOf<C extends ErrorCode> = (typeof errorCatalogue)[C]['kind']
