import { z } from 'zod'
import { limits } from './limits.ts'
import type { RouteContract } from './route.ts'

/** A body whose bytes reach the handler unchanged, for a signature over them. */
export const rawBody = z.instanceof(Uint8Array)

/** Null for a route without a body. */
export const bodyKindOf = ({ body }: Pick<RouteContract, 'body'>): 'json' | 'raw' | null =>
  body ? (body === rawBody ? 'raw' : 'json') : null

export const bodyMaxBytesOf = ({ bodyMaxBytes }: Pick<RouteContract, 'bodyMaxBytes'>): number =>
  bodyMaxBytes ?? limits.jsonBodyMaxBytes
