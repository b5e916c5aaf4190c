import type { IncomingMessage } from 'node:http'
import { unavailable } from '@sumlock/service-kit/app-error'
import { fileIsEmpty, lengthRequired } from '../domain/errors.ts'

/** Returns the stated length of a body. Throws when the length is missing or 0. */
export function lengthOf({ headers }: IncomingMessage): number {
  const stated = headers['content-length']
  if (stated === undefined) throw lengthRequired()
  if (Number(stated) === 0) throw fileIsEmpty()
  return Number(stated)
}

/** A broken connection aborts the call, because the SDK would wait forever for a body that ends early. */
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
