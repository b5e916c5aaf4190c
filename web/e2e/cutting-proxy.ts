import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'

/** What the proxy does with an upload after this many bytes. */
type Fate = { after: number; then: 'cut' } | { after: number; then: Promise<void> }

/** Starts a proxy that cuts uploads, or holds them until a promise settles, in the order in which they arrive. */
export async function startCuttingProxy() {
  const fates: Fate[] = []
  let uploads = 0
  const server = createServer((incoming, answer) => {
    const { method, headers, url = '' } = incoming
    const outgoing = request(url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    outgoing.on('error', () => answer.destroy())
    incoming.on('close', () => {
      if (!incoming.complete) outgoing.destroy()
    })
    const isUpload = method === 'PUT' && url.includes('/api/objects/')
    if (isUpload) uploads += 1
    const fate = isUpload ? fates.shift() : undefined
    if (fate) incoming.pipe(gate(incoming, fate)).pipe(outgoing)
    else incoming.pipe(outgoing)
  })
  server.on('connect', ({ url = '' }: IncomingMessage, client) => {
    const { hostname, port } = new URL(`http://${url}`)
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(target).pipe(client)
    })
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The fates of the next uploads; later ones pass. */
    fates,
    /** The number of uploads that have started. */
    uploads: () => uploads,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>

/** A stream is used instead of `pause`, because a pipe resumes a paused source as soon as its target has drained. */
function gate(upload: IncomingMessage, { after, then }: Fate): Transform {
  let seen = 0
  return new Transform({
    transform(part: Buffer, _encoding, pass) {
      const isReached = seen < after && seen + part.length >= after
      seen += part.length
      if (!isReached) pass(null, part)
      else if (then === 'cut') upload.socket.destroy()
      else void then.then(() => pass(null, part))
    },
  })
}
