import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { repoRoot } from '../config.ts'

const fixed = parseEnv(readFileSync(join(repoRoot, 'libs/deployment/service-runtime.env'), 'utf8'))

/** Environment of a service's Node: service-runtime.env, and a cache of compiled code that `npm ci` empties. */
export const serviceRuntime: Readonly<Record<string, string>> = {
  ...(fixed as Record<string, string>),
  NODE_COMPILE_CACHE: join(repoRoot, 'node_modules/.cache/service-code'),
}
