import { statusOfKind } from '@sumlock/contracts/errors'
import type { ErrorBody, ErrorCode, ErrorKind, KindOf } from '@sumlock/contracts/errors'
import { isTransient } from './transient.ts'

export interface AppErrorDetails {
  /**
   * Only an error with status 402 has this: the start of the next UTC day (ISO 8601), when a free message can be sent
   * again.
   */
  resetsAt?: string
  /** Only an error with status 400 has this: a sentence for each invalid field, by the field's path. */
  fields?: Record<string, string>
}

export interface AppErrorOptions extends ErrorOptions {
  /** The answer has this value in the header Retry-After. */
  retryAfterSeconds?: number
  /** The answer contains this message as its caller is shown it. It is no detail, because logs show details. */
  present?: ErrorBody['message']
}

/** Each code has one kind, so that a code always comes with the HTTP status that the API documents state. */
export type AppErrorArguments = {
  [C in ErrorCode]: [
    kind: KindOf<C>,
    code: C,
    sentence: string,
    details?: AppErrorDetails,
    options?: AppErrorOptions,
  ]
}[ErrorCode]

/**
 * Code throws no other error on purpose. `message` is shown to people; `kind` decides the HTTP status and whether a
 * consumer retries.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly code: ErrorCode
  readonly details: AppErrorDetails
  readonly retryAfterSeconds: number | undefined
  readonly present: ErrorBody['message']

  constructor(...[kind, code, sentence, details = {}, options]: AppErrorArguments) {
    super(sentence, options)
    this.kind = kind
    this.code = code
    this.details = details
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.present = options?.present
  }

  get status(): number {
    return statusOfKind[this.kind]
  }
}

/** Builds the error for a dependency that did not answer. `what` is logged as its cause unless `cause` is given. */
export const unavailable = (what: string, cause?: unknown): AppError =>
  new AppError(
    'unavailable',
    'unavailable',
    'The service is not available right now. Please try again in a moment.',
    {},
    { cause: cause ?? what },
  )

/** Builds the error for a request whose session is missing, expired or revoked. */
export const noSession = (): AppError => new AppError('unauthenticated', 'no_session', 'Please sign in.')

/** Turns a thrown value into an AppError: `unavailable` when `isTransient` accepts it, otherwise `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isTransient(error)) return unavailable('a dependency', error)
  return new AppError(
    'internal',
    'internal_error',
    'Something went wrong on our side. Please try again.',
    {},
    { cause: error },
  )
}

/** Returns the body of the HTTP answer for an error. */
export const toErrorBody = (error: AppError, requestId: string): ErrorBody => ({
  error: error.message,
  code: error.code,
  requestId,
  ...error.details,
  ...(error.present && { message: error.present }),
})
