import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { changedPaths } from '../testing/runner/changed-tools.ts'

// `npm run check`: everything, or the checks whose titles are given. With --changed-only lint and formatting see the
// changed files only.
const options = process.argv.slice(2)

/** Emptied by `npm ci`, and with it by CI: a cached result of lint does not see a type that another file changed. */
const cache = 'node_modules/.cache/check'
const tsc = (project: string) =>
  `node_modules/typescript/bin/tsc -p ${project}tsconfig.json --incremental --tsBuildInfoFile ${cache}/${project || 'root/'}tsc`
const cached = (tool: string) => `--cache --cache-strategy content --cache-location ${cache}/${tool}`

/** A change of these can make any file wrong. */
const ofAllFiles = /^(package(-lock)?\.json|eslint\.config\.mjs|tsconfig.*\.json|\.prettier.*)$/

/** What lint and formatting look at: '.', or the changed files whose names match. */
function filesFor(matching: RegExp): string {
  const changed = options.includes('--changed-only') ? changedPaths(repoRoot) : null
  if (!changed || changed.some((path) => ofAllFiles.test(path))) return '.'
  return changed.filter((path) => matching.test(path) && existsSync(join(repoRoot, path))).join(' ')
}
const toLint = filesFor(/\.(ts|tsx|mjs|cjs|js)$/)
const toFormat = filesFor(/\.(ts|tsx|mjs|cjs|js|json|css|html|md|yml|yaml)$/)

/** Static checks by title. Each is one process of Node; two run at a time. */
const checks: Record<string, string> = {
  'types (services, libs, tools)': tsc(''),
  'types (load)': tsc('load/'),
  'types (web)': tsc('web/'),
  ...(toLint && {
    lint: `node_modules/eslint/bin/eslint.js ${toLint} --no-warn-ignored --max-warnings 0 ${cached('eslint')}`,
  }),
  'import rules':
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs --config .dependency-cruiser.cjs libs services web/src dev testing ops tools load',
  'unused and unlisted packages, files and exports': 'node_modules/knip/bin/knip.js --no-progress',
  'API docs and event catalogue': 'tools/api-docs.ts --check',
  ...(toFormat && {
    formatting: `node_modules/prettier/bin/prettier.cjs --check --log-level warn ${toFormat} ${cached('prettier')}`,
  }),
}

const titles = options.filter((option) => option in checks)
const queue = Object.entries(checks).filter(([title]) => titles.length === 0 || titles.includes(title))

async function worker(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [title, command] = next
    const startedAt = performance.now()
    const { isOk, output } = await runNode(command.split(' '))
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(`${isOk ? '✓' : '✗'} ${title} (${seconds} s)\n${isOk ? '' : `${output}\n`}`)
    if (!isOk) process.exitCode = 1
  }
}

function runNode(args: readonly string[]): Promise<{ isOk: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: repoRoot, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ isOk: error === null, output: stdout + stderr }),
    )
  })
}

await Promise.all([worker(), worker()])
