import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/**
 * The address of the client behind `trustedHops` proxies of ours. Each proxy appends to X-Forwarded-For, so as many
 * entries from its end are trustworthy, as with Express's `trust proxy`.
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

/** A network may do this much more than the one inside of it; the order is that of `networksOf`. */
export const networkFactors = [1, 4, 16] as const

/**
 * The networks that an address belongs to, the narrowest first: an IPv4 address alone; of an IPv6 address its /64, /56
 * and /48. One customer usually owns the /64, and often all of the /56 or /48.
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

/** The unit of counts per address: an IPv4 address, or the /64 of an IPv6 address. */
export const addressGroup = (address: string): string => networksOf(address)[0]
