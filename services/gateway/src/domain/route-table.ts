import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteContract } from '@sumlock/contracts/route'

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

/** The public route of a request, or undefined: what the contracts do not name does not exist. */
export function findRoute(method: string, path: string): RouteContract | undefined {
  const found = exact.get(`${method} ${path}`)
  if (found) return found.contract
  return patterns.find(({ contract, pattern }) => contract.method === method && pattern.test(path))?.contract
}

/** Without the query. */
export const pathOf = (url: string): string => url.split('?', 1)[0] as string

function key({ method, path }: RouteContract): string {
  return `${method} ${path}`
}
