import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Client } from '@sumlock/testing/client'

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

interface Sent {
  status: number
  body: string
  cookies: readonly string[]
}

/** A request with as little as Node needs for one: the generator shares its processors with what it measures. */
function exchange(
  client: Client,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
) {
  const { hostname, port } = new URL(client.gatewayUrl)
  const all = { origin: client.origin, ...headers }
  return new Promise<Sent>((resolve, reject) => {
    const outgoing = request(
      { agent, hostname, port, method, path, headers: all },
      (response: IncomingMessage) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: text,
            cookies: response.headers['set-cookie'] ?? [],
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export interface Sending {
  client: Client
  conversationId: string
  clientMessageId: string
  content: string
}

export type CsrfMode = 'token at hand' | 'token fetched before each send'

/** Sends one message; resolves with the HTTP status. */
export async function send({ client, ...message }: Sending, csrf: CsrfMode): Promise<number> {
  let token = client.keptToken
  let cookie = client.cookieHeader
  if (csrf === 'token fetched before each send') {
    const answer = await exchange(client, 'GET', '/api/csrf-token', { cookie })
    token = (JSON.parse(answer.body) as { csrfToken: string }).csrfToken
    // Two sends of one session may overlap: each has to go out with the cookie its own token was made for.
    const pairs = answer.cookies.map((line) => line.split(';', 1)[0] as string)
    const renewed = new Set(pairs.map((pair) => pair.split('=', 1)[0]))
    const kept = cookie.split('; ').filter((pair) => !renewed.has(pair.split('=', 1)[0]))
    cookie = [...kept, ...pairs].join('; ')
  }
  const body = JSON.stringify({ ...message, messageType: 'text' })
  const headers = {
    cookie,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-csrf-token': token ?? '',
  }
  return (await exchange(client, sendMessage.method, sendMessage.path, headers, body)).status
}
