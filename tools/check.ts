import { execFile } from 'node:child_process'
import { repoRoot } from '@sumlock/dev/config'

// `npm run check` runs all checks, or only those that are named.

/**
 * `npm ci` empties this folder. Until then, a cached result of lint may be outdated, because it does not depend on
 * types in other files.
 */
const cache = 'node_modules/.cache/check'
// The types are checked by TypeScript 7, which is faster, while the rules of ESLint still need TypeScript 6.
const tsc = (project: string) =>
  `node_modules/typescript-7/bin/tsc -p ${project}tsconfig.json --incremental --tsBuildInfoFile ${cache}/${project || 'root/'}tsc`
const cached = (tool: string) => `--cache --cache-strategy content --cache-location ${cache}/${tool}`

/** Each check runs as its own process of Node, two at a time. */
const checks: Readonly<Record<string, string>> = {
  types: tsc(''),
  'types-load': tsc('load/'),
  'types-web': tsc('web/'),
  lint: `node_modules/eslint/bin/eslint.js . --no-warn-ignored --max-warnings 0 ${cached('eslint')}`,
  'import-rules':
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs --config .dependency-cruiser.cjs libs services web/src dev testing ops tools load',
  unused: 'node_modules/knip/bin/knip.js --no-progress',
  documents: 'tools/api-docs.ts --check',
  links: 'tools/links.ts',
  prose: 'tools/prose.ts',
  formatting: `node_modules/prettier/bin/prettier.cjs --check --log-level warn . ${cached('prettier')}`,
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in checks))
if (unknown.length > 0)
  throw new Error(`There is no check ${unknown.join(', ')}. Choose from: ${Object.keys(checks).join(', ')}.`)
const queue = Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name))

async function worker(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, command] = next
    const startedAt = performance.now()
    const { isOk, output } = await runNode(command.split(' '))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const shown = isOk ? warningsIn(output) : output
    process.stdout.write(`${isOk ? '✓' : '✗'} ${name} (${seconds} s)\n${shown && `${shown}\n`}`)
    if (!isOk) process.exitCode = 1
  }
}

/** Returns the warnings in an output, because a check that passes shows nothing else. */
const warningsIn = (output: string): string =>
  output
    .split('\n')
    .filter((line) => line.startsWith('Warning: '))
    .join('\n')

function runNode(args: readonly string[]): Promise<{ isOk: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: repoRoot, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ isOk: error === null, output: stdout + stderr }),
    )
  })
}

await Promise.all([worker(), worker()])
