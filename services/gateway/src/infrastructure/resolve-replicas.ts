import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Logger } from '@sumlock/service-kit/logger'
import { createRepeater } from '@sumlock/service-kit/repeater'
import type { Repeater } from '@sumlock/service-kit/repeater'
import type { Upstream } from './upstream.ts'

/** Resolves with the IPv4 addresses of a host. Rejects when the host has none or DNS does not answer. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

export interface ResolveOptions {
  /** The configuration lists these URLs with host names or addresses. */
  urls: readonly string[]
  upstream: Pick<Upstream, 'targets' | 'agent'>
  logger: Pick<Logger, 'info' | 'warn'>
  lookup?: Lookup
}

const resolveEveryMs = 5000

/** Uses getaddrinfo, which applies the search domains of a cluster; a plain DNS query would not. */
const lookupIpv4: Lookup = async (hostname) =>
  (await lookup(hostname, { all: true, family: 4 })).map(({ address }) => address)

/**
 * Looks up the host names in `urls` now and every 5 s; each address of a name is one replica. A URL with an address stays
 * as it is. While its lookup fails, a name keeps its last addresses; before the first success, the name itself is used as a
 * replica.
 */
export function resolveReplicas({ urls, upstream, logger, lookup = lookupIpv4 }: ResolveOptions): Repeater {
  const replicasOf = new Map<string, readonly string[]>(urls.map((url) => [url, [url]]))

  const resolve = async (url: string): Promise<void> => {
    const { hostname, port } = new URL(url)
    if (isIP(hostname)) return
    const addresses = await lookup(hostname)
    if (addresses.length === 0) throw new Error(`${hostname} has no address`)
    replicasOf.set(
      url,
      addresses.map((address) => `http://${address}:${port || 80}`),
    )
  }

  return createRepeater({
    name: `resolving ${urls.join(',')}`,
    everyMs: resolveEveryMs,
    logger,
    run: async () => {
      const results = await Promise.allSettled(urls.map(resolve))
      const replicas = [...new Set([...replicasOf.values()].flat())].sort()
      if (upstream.targets.replace(replicas)) {
        upstream.agent.prune()
        logger.info({ urls, replicas }, 'the gateway changed its list of replicas')
      }
      for (const result of results) if (result.status === 'rejected') throw result.reason
    },
  })
}
