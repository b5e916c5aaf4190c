import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const fileName = /(?<=\/)([abcdr]-[\w-]{8})\.(js|css)/g
const renamedFile = /(?<=\/)([abcdr]-[\w-]{8})-r(\d)\.(js|css)/

/**
 * Stands in front of the product and can publish a release: each file of the web app then has another name, and the
 * files of the previous release are gone.
 */
export async function startReleases(upstream: string) {
  let release = 0
  let isSilent = false

  const rename = (text: string) =>
    text
      .replace(fileName, `$1-r${release}.$2`)
      .replace(/(?<=release = '\w{11})\w/, 'xyz'[release - 1] as string)

  const answerFrom = (reply: IncomingMessage, response: ServerResponse) => {
    const isText = /html|javascript|css/.test(reply.headers['content-type'] ?? '')
    // A renamed text has another length.
    if (isText) delete reply.headers['content-length']
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    if (!isText || release === 0) {
      reply.pipe(response)
      return
    }
    const parts: Buffer[] = []
    reply.on('data', (part: Buffer) => parts.push(part))
    reply.on('end', () => response.end(rename(Buffer.concat(parts).toString())))
  }

  const server = createServer((incoming, response) => {
    if (isSilent) return
    const { method, url = '/' } = incoming
    const [, , ofRelease = '0'] = renamedFile.exec(url) ?? []
    if (url.startsWith('/assets/') && Number(ofRelease) !== release) {
      response.writeHead(404).end()
      return
    }
    // A file that the product did not change has changed in the new release.
    const { 'if-none-match': _etag, 'if-modified-since': _date, ...headers } = incoming.headers
    headers['accept-encoding'] = 'identity'
    if (headers.origin) headers.origin = upstream
    const outgoing = request(
      new URL(url.replace(renamedFile, '$1.$3'), upstream),
      { method, headers },
      (reply) => answerFrom(reply, response),
    )
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release: () => {
      release += 1
    },
    /** Accepts every request from now on and answers none. */
    fallSilent: () => {
      isSilent = true
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
