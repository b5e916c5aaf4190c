import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  integrity?: string
  link?: boolean
  /** Part of another package's archive, and covered by its hash. */
  inBundle?: boolean
  resolved?: string
  optionalDependencies?: Record<string, string>
}

const file = join(import.meta.dirname, '../package-lock.json')
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }
const downloaded = Object.entries(packages).filter(
  ([path, entry]) => path.includes('node_modules/') && !entry.link,
)

describe('package-lock.json', () => {
  it('has an integrity hash for every package', () => {
    const without = downloaded.filter(([, { integrity, inBundle }]) => !integrity && !inBundle)
    expect(without.map(([path]) => path)).toEqual([])
  })

  // npm leaves out what its registry lacks, and `npm ci` then fails on the platform concerned.
  it('names every optional package of every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !isResolved(path, name)),
    )
    expect(missing).toEqual([])
  })

  it('names no download address', () => {
    const addressed = downloaded.filter(([, { resolved }]) => resolved !== undefined)
    expect(addressed.map(([path]) => path)).toEqual([])
  })
})

/** Looks in the package's own node_modules and then in those of the folders above it, as Node does. */
function isResolved(path: string, name: string): boolean {
  const own = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`
  if (packages[own]) return true
  if (path === '') return false
  const end = path.lastIndexOf('node_modules/')
  return isResolved(path.slice(0, Math.max(0, end - 1)), name)
}
