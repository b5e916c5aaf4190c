import { execFile } from 'node:child_process'
import { repoRoot } from '@sumlock/dev/config'

/** Static checks by title. Each is one process of Node; two run at a time. */
const checks: Record<string, string> = {
  'types (services, libs, tools)': 'node_modules/typescript/bin/tsc -p tsconfig.json',
  'types (load)': 'node_modules/typescript/bin/tsc -p load/tsconfig.json',
  'types (web)': 'node_modules/typescript/bin/tsc -p web/tsconfig.json',
  lint: 'node_modules/eslint/bin/eslint.js . --max-warnings 0',
  'import rules':
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs --config .dependency-cruiser.cjs libs services web/src dev testing ops tools load',
  'unused and unlisted packages, files and exports': 'node_modules/knip/bin/knip.js --no-progress',
  'API docs and event catalogue': 'tools/api-docs.ts --check',
  formatting: 'node_modules/prettier/bin/prettier.cjs --check --log-level warn .',
}

const queue = Object.entries(checks)

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
