import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

/** The names of what a service does again and again, as its start module gives them. */
export function repeatedWorkOf(service: string): string[] {
  const text = readFileSync(join(repoRoot, 'services', service, 'src/start.ts'), 'utf8')
  return [...text.matchAll(/(?:\bname: |\brepeat\()'([^']+)'/g)].map(([, name]) => String(name)).sort()
}
