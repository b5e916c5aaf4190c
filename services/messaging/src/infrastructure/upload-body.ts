import type { IncomingMessage } from 'node:http'
import { unavailable } from '@sumlock/service-kit/app-error'
import { fileIsEmpty, lengthRequired } from '../domain/errors.ts'

/** The stated length of a body. Throws when there is none. */
export function lengthOf({ headers }: IncomingMessage): number {
  const stated = headers['content-length']
  if (stated === undefined) throw lengthRequired()
  if (Number(stated) === 0) throw fileIsEmpty()
  return Number(stated)
}

/** The SDK would wait without end for a body that ends early, so a broken connection has to abort it. */
export async function sendBody<T>(
  body: IncomingMessage,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const cut = new AbortController()
  const abortUnlessComplete = () => {
    if (!body.complete) cut.abort()
  }
  body.once('close', abortUnlessComplete)
  try {
    return await send(cut.signal)
  } catch (error) {
    throw unavailable('the media store', error)
  } finally {
    body.off('close', abortUnlessComplete)
  }
}
