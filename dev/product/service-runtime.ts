import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { repoRoot } from '../config.ts'

/** Environment of every service's Node: service-runtime.env. */
export const serviceRuntime = parseEnv(
  readFileSync(join(repoRoot, 'libs/deployment/service-runtime.env'), 'utf8'),
) as Readonly<Record<string, string>>
