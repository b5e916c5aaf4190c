import type { IncomingMessage } from 'node:http'
import { limits } from '@sumlock/contracts/limits'
import { AppError } from './app-error.ts'

const tooLarge = () => new AppError('too-large', 'body_too_large', 'The request is too large.')

/** The JSON body, at most 64 kB, `undefined` when there is none. Throws 400, 413 or 415. */
export async function parseBody(request: IncomingMessage): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? 0)
  const hasBody = declared > 0 || request.headers['transfer-encoding'] !== undefined
  if (!hasBody) return undefined
  const contentType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (contentType !== 'application/json' || request.headers['content-encoding'] !== undefined) {
    throw new AppError('unsupported-media', 'unsupported_content_type', 'Please send plain JSON.')
  }
  if (declared > limits.jsonBodyMaxBytes) throw tooLarge()

  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limits.jsonBodyMaxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new AppError('invalid', 'invalid_json', 'The request is not valid JSON.')
  }
}
