import { isIPv6 } from 'node:net'

/**
 * What an address is counted by: an IPv4 address itself, and of IPv6 the /64, since one customer has at least that many
 * addresses to choose from.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped) return mapped
  const [head = [], tail] = plain.split('::').map((half) => (half === '' ? [] : half.split(':')))
  // An IPv4 address at the end stands for two groups.
  const written = head.length + (tail ?? []).length + (plain.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? [] : Array<string>(8 - written).fill('0')
  const network = [...head, ...zeros, ...(tail ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}
