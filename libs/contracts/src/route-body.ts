import { z } from 'zod'
import { limits } from './limits.ts'

interface Bodies {
  readonly body?: z.ZodType
  readonly responses: Readonly<Record<number, z.ZodType>>
}

/** A body whose bytes reach the handler unchanged, for a signature over them. */
export const rawBody = z.instanceof(Uint8Array)

/** Bytes of any type that are passed on as they arrive, as a body or as an answer. */
export const byteStream = z.custom<never>(() => true)

/** Returns null for a route without a body. */
export function bodyKindOf({ body }: Pick<Bodies, 'body'>): 'json' | 'raw' | 'stream' | null {
  if (!body) return null
  if (body === byteStream) return 'stream'
  return body === rawBody ? 'raw' : 'json'
}

/** Whether bytes flow through a call for as long as the client takes: it has limits of its own. */
export const isStream = ({ body, responses }: Bodies): boolean =>
  body === byteStream || Object.values(responses).includes(byteStream)

export const bodyMaxBytesOf = ({ bodyMaxBytes }: { readonly bodyMaxBytes?: number }): number =>
  bodyMaxBytes ?? limits.jsonBodyMaxBytes
