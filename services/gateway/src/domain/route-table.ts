import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteContract } from '@sumlock/contracts/route'

const maxLength = 2048
const printable = /^[\x21-\x7e]+$/
const ambiguous = /\/\/|\\|%(?:2f|5c|00)|\/\.{1,2}(?:\/|$)/i
/** Letters, digits and `-._~` need no encoding (RFC 3986, 2.3), so an address that encodes one of them is refused. */
const needlesslyEncoded = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

/**
 * Returns whether a request target has only one meaning. A path that the gateway and a service read differently could
 * bypass access rules.
 */
export function isCanonicalPath(target: string): boolean {
  if (target.length > maxLength || !target.startsWith('/') || !printable.test(target)) return false
  const path = pathOf(target)
  return !ambiguous.test(path) && !needlesslyEncoded.test(path)
}

interface Entry {
  contract: RouteContract
  pattern: RegExp
}

const entries: readonly Entry[] = Object.values(allRoutes).map((contract) => ({
  contract,
  pattern: new RegExp(`^${contract.path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`),
}))
const exact = new Map(
  entries.filter(({ contract }) => !contract.path.includes(':')).map((entry) => [key(entry.contract), entry]),
)
const patterns = entries.filter(({ contract }) => contract.path.includes(':'))

/** Returns the public route of a request target; undefined when no contract names it. */
export function findRoute(method: string, target: string): RouteContract | undefined {
  const path = pathOf(target)
  const found = exact.get(`${method} ${path}`)
  if (found) return found.contract
  return patterns.find(({ contract, pattern }) => contract.method === method && pattern.test(path))?.contract
}

/** Cuts off the query. */
function pathOf(target: string): string {
  const queryAt = target.indexOf('?')
  return queryAt < 0 ? target : target.slice(0, queryAt)
}

function key({ method, path }: RouteContract): string {
  return `${method} ${path}`
}
