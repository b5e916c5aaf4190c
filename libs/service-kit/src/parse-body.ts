import type { IncomingMessage } from 'node:http'
import { bodyMaxBytesOf } from '@sumlock/contracts/route-body'
import { AppError } from './app-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const tooLarge = () => new AppError('too-large', 'body_too_large', 'The request is too large.')
const broken = () => new Error('the connection broke before the end of the body')

/**
 * Returns the JSON body, or `undefined` when there is none. Without `maxBytes` it may have 64 kB. Throws 400, 413 or
 * 415.
 */
export async function parseBody(request: IncomingMessage, maxBytes = bodyMaxBytesOf({})): Promise<unknown> {
  const declared = Number(request.headers['content-length'] ?? 0)
  const hasBody = declared > 0 || request.headers['transfer-encoding'] !== undefined
  if (!hasBody) return undefined
  const contentType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (contentType !== 'application/json' || request.headers['content-encoding'] !== undefined) {
    throw new AppError('unsupported-media', 'unsupported_content_type', 'Please send plain JSON.')
  }
  const bytes = await readBytes(request, maxBytes)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new AppError('invalid', 'invalid_json', 'The request is not valid JSON.')
  }
}

/**
 * Returns the whole body. Throws 413, or an error when the connection breaks. It listens to events, because an async
 * iterator takes twice the time.
 */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    if (request.destroyed || request.readableEnded) throw broken()
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) {
        chunks.push(chunk)
        return
      }
      // The error handler discards the rest of the body before it answers.
      request.off('data', take).pause()
      reject(tooLarge())
    }
    request.on('data', take).once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject).once('close', () => {
      if (!request.readableEnded) reject(broken())
    })
    request.resume()
  })
}
