import { spawn } from 'node:child_process'
import { repoRoot } from '@sumlock/dev/config'

const bin = (path: string, ...args: string[]) => [`node_modules/${path}`, ...args]

/** Static checks by title. Each is one process; two run at a time. */
const checks: Record<string, readonly string[]> = {
  'types (services, libs, tools)': bin('typescript/bin/tsc', '-p', 'tsconfig.json'),
  'types (load)': bin('typescript/bin/tsc', '-p', 'load/tsconfig.json'),
  'types (web)': bin('typescript/bin/tsc', '-p', 'web/tsconfig.json'),
  lint: bin('eslint/bin/eslint.js', '.', '--max-warnings', '0'),
  'import rules': bin(
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'libs',
    'services',
    'web/src',
    'dev',
    'testing',
    'ops',
    'tools',
    'load',
  ),
  'unused and unlisted packages, files and exports': bin('knip/bin/knip.js', '--no-progress'),
  'API docs and event catalogue': ['tools/api-docs.ts', '--check'],
  formatting: bin('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
}

const queue = Object.entries(checks)
let failed = false

async function worker(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [title, args] = next
    const startedAt = performance.now()
    const { code, output } = await runNode(args)
    process.stdout.write(
      `${code === 0 ? '✓' : '✗'} ${title} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`,
    )
    if (code !== 0) {
      failed = true
      process.stdout.write(`${output}\n`)
    }
  }
}

function runNode(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...args], { cwd: repoRoot, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

await Promise.all([worker(), worker()])
process.exit(failed ? 1 : 0)
