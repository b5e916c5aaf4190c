import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'

/** Returns the size of a script as the gateway sends it to a browser that accepts gzip. */
export async function sentSize(url: URL): Promise<{ encoding: string | undefined; bytes: number }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers: { 'accept-encoding': 'gzip' } }, resolve).on('error', reject),
  )
  answer.resume()
  const { 'content-encoding': encoding, 'content-length': length } = answer.headers
  return { encoding, bytes: Number(length) }
}
