import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * Returns the address of the client behind `trustedHops` proxies of ours. Each proxy appends an address to
 * X-Forwarded-For, so that many entries from its end can be trusted. Express's `trust proxy` counts in the same way.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedHops: number,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  const known = forwarded.map((address) => address.trim()).filter((address) => address !== '')
  const chain = [socket.remoteAddress ?? '', ...known.reverse()]
  return chain[Math.min(trustedHops, chain.length - 1)] as string
}

/** The limit of an address is multiplied by these factors for its networks, in the order of `networksOf`. */
export const networkFactors = [1, 4, 16] as const

/**
 * Returns the networks of an address, narrowest first: an IPv4 address stands alone, an IPv6 address gives its /64,
 * /56 and /48. A customer usually owns a /64, and often the whole /56 or /48.
 */
export function networksOf(address: string): [string, ...string[]] {
  if (!isIPv6(address)) return [address]
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return [mapped]
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  const [a = 0, b = 0, c = 0, d = 0] = groups.slice(0, 4).map((group) => parseInt(group, 16))
  const network = (length: number, ...of: number[]) =>
    `${of.map((group) => group.toString(16)).join(':')}::/${length}`
  return [network(64, a, b, c, d), network(56, a, b, c, d & 0xff00), network(48, a, b, c)]
}

/** Limits per address count an IPv4 address, or the /64 of an IPv6 address. */
export const addressGroup = (address: string): string => networksOf(address)[0]
