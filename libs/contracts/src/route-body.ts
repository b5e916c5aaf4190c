import { z } from 'zod'
import { limits } from './limits.ts'

interface Bodies {
  readonly body?: z.ZodType
  readonly responses: Readonly<Record<number, z.ZodType>>
}

/** The handler receives the bytes of such a body unchanged, to verify a signature over them. */
export const rawBody = z.instanceof(Uint8Array)

/** A body or an answer of this type consists of bytes that are passed on as they arrive. */
export const byteStream = z.custom<never>(() => true)

/** Returns null for a route without a body. */
export function bodyKindOf({ body }: Pick<Bodies, 'body'>): 'json' | 'raw' | 'stream' | null {
  if (!body) return null
  if (body === byteStream) return 'stream'
  return body === rawBody ? 'raw' : 'json'
}

/**
 * Returns whether a route streams its body or answer, which may take as long as the client needs, so other limits
 * apply.
 */
export const isStream = ({ body, responses }: Bodies): boolean =>
  body === byteStream || Object.values(responses).includes(byteStream)

export const bodyMaxBytesOf = ({ bodyMaxBytes }: { readonly bodyMaxBytes?: number }): number =>
  bodyMaxBytes ?? limits.jsonBodyMaxBytes
