import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import type { BuiltPreparation } from '../build-preparation.ts'
import { baseURL } from './firefox.ts'

/**
 * Serves the product's page with the files of a build added, under the policy of the page. Firefox loses intercepted
 * requests.
 */
export async function startCorpusServer({ scripts, read }: BuiltPreparation) {
  const server = createServer((request, response) => {
    const { url = '/' } = request
    const name = basename(url)
    const isBuilt = scripts.includes(name)
    fetch(new URL(isBuilt ? '/' : url, baseURL))
      .then(async (reply) => {
        response.statusCode = reply.status
        response.setHeader('content-security-policy', reply.headers.get('content-security-policy') ?? '')
        response.setHeader(
          'content-type',
          isBuilt ? 'text/javascript' : (reply.headers.get('content-type') ?? ''),
        )
        response.end(isBuilt ? read(`assets/${name}`) : await reply.bytes())
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
