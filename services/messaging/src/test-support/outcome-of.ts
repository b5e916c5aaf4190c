import { AppError } from '@sumlock/service-kit/app-error'
import type { SentMessage } from '../domain/send.ts'

/** Resolves to the error code of a refused send, or to "stored" or "known". */
export const outcomeOf = (sending: Promise<SentMessage>): Promise<unknown> =>
  sending.then(
    ({ isNew }) => (isNew ? 'stored' : 'known'),
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
