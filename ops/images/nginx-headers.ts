import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { nginxHeaderFiles } from './nginx-headers/render.ts'

// node ops/images/nginx-headers.ts [--check]   writes ops/images/nginx/{security-headers,secure}.conf from the gateway's headers
const stale = Object.entries(nginxHeaderFiles()).filter(([name, text]) => {
  const file = join(repoRoot, 'ops/images/nginx', name)
  if (process.argv.includes('--check')) return readFileSync(file, 'utf8') !== text
  writeFileSync(file, text)
  return false
})
for (const [name] of stale)
  process.stderr.write(
    `ops/images/nginx/${name} is not what the gateway sends: run node ops/images/nginx-headers.ts\n`,
  )
process.exit(stale.length > 0 ? 1 : 0)
