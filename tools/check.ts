import { execFile } from 'node:child_process'
import { repoRoot } from '@sumlock/dev/config'

// `npm run check` runs every check, or those that are named.

/** `npm ci` empties it: a cached result of lint does not see a type that another file changed. */
const cache = 'node_modules/.cache/check'
// The rules of ESLint need TypeScript 6; the types themselves are checked by its faster successor.
const tsc = (project: string) =>
  `node_modules/typescript-7/bin/tsc -p ${project}tsconfig.json --incremental --tsBuildInfoFile ${cache}/${project || 'root/'}tsc`
const cached = (tool: string) => `--cache --cache-strategy content --cache-location ${cache}/${tool}`

/** Each is one process of Node; two run at a time. */
const checks: Readonly<Record<string, string>> = {
  types: tsc(''),
  'types-load': tsc('load/'),
  'types-web': tsc('web/'),
  lint: `node_modules/eslint/bin/eslint.js . --no-warn-ignored --max-warnings 0 ${cached('eslint')}`,
  'import-rules':
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs --config .dependency-cruiser.cjs libs services web/src dev testing ops tools load',
  unused: 'node_modules/knip/bin/knip.js --no-progress',
  documents: 'tools/api-docs.ts --check',
  prose: 'tools/prose.ts',
  formatting: `node_modules/prettier/bin/prettier.cjs --check --log-level warn . ${cached('prettier')}`,
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in checks))
if (unknown.length > 0)
  throw new Error(`There is no check ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`)
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

/** A check that passes shows only its warnings. */
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
