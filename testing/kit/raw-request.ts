import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

interface RawRequest {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
}

/** Sends a request with its target byte for byte, because `fetch` would normalize the path. */
export async function rawRequest(
  origin: string,
  target: string,
  { method = 'GET', headers = {}, body = '' }: RawRequest = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin)
  const sent = request({ hostname, port, path: target, method, headers, agent: false })
  // A server may answer and close before it has read the whole body.
  sent.on('error', () => undefined).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }
}
