import { globSync } from 'node:fs'
import { repoRoot } from '@sumlock/dev/config'
import { brokenLinks } from './links/broken-links.ts'

// Reports links between Markdown files whose file or heading does not exist.
const exclude = ['**/node_modules', '.data', 'artifacts', 'coverage']
const broken = brokenLinks(globSync('**/*.md', { cwd: repoRoot, exclude }), repoRoot)
for (const line of broken) process.stdout.write(`${line}\n`)
if (broken.length > 0) process.exitCode = 1
