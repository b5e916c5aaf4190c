import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openApiDocument } from '@sumlock/contracts/openapi/document'
import { repoRoot } from '@sumlock/dev/config'
import { format, resolveConfig } from 'prettier'
import { engineUsersPage } from './api-docs/engine-users.ts'
import { eventCatalogue } from './api-docs/event-catalogue.ts'

// Writes the API documents of the contracts into docs/; with --check it only reports outdated ones.
const pages = {
  'docs/openapi.json': JSON.stringify(openApiDocument()),
  'docs/events.md': eventCatalogue(),
  'docs/engine-users.md': engineUsersPage(),
}
const isCheck = process.argv.includes('--check')
const stale: string[] = []

for (const [name, content] of Object.entries(pages)) {
  const path = join(repoRoot, name)
  const text = await format(content, { ...(await resolveConfig(path)), filepath: path })
  if (isCheck) {
    if ((await readFile(path, 'utf8').catch(() => '')) !== text) stale.push(name)
  } else {
    await writeFile(path, text)
    process.stdout.write(`${name}\n`)
  }
}
if (stale.length > 0) {
  process.stdout.write(`${stale.join(' and ')}: out of date. Run: npm run docs:api\n`)
  process.exitCode = 1
}
