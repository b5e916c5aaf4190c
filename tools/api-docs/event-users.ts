import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

const sources = globSync('services/*/src/**/*.ts', { cwd: repoRoot })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(repoRoot, path), 'utf8') }))

/** Returns the services that publish and consume an event, found by the imports in their sources. */
export function usersOf(event: string): { producers: string; consumers: string } {
  const mentions = new RegExp(`import \\{[^}]*\\b${event}\\b[^}]*\\} from '@sumlock/contracts/`)
  const users = (areConsumers: boolean) => {
    const found = sources.filter(
      ({ path, text }) => path.includes('/consumers/') === areConsumers && mentions.test(text),
    )
    const services = new Set(found.map(({ path }) => path.split('/')[1]))
    return [...services].sort().join(', ') || 'no service yet'
  }
  return { producers: users(false), consumers: users(true) }
}
