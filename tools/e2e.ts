import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/stack/config'
import { startEngines } from '@sumlock/stack/engines'
import { startServices } from '@sumlock/stack/services'
import { buildWeb } from './build-web.ts'

// The product as a person has it, on free ports and with data of its own, for Playwright.
const progress = (line: string) => process.stderr.write(`  ${line}\n`)
const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-e2e-'))
const webRoot = await buildWeb(progress)
const engines = await startEngines({ dataDir, progress })
let code: number
try {
  const common = {
    ...engines,
    namespace: 'e2e',
    mode: 'test',
    logDir: join(dataDir, 'logs'),
    logLevel: 'warn',
  } as const
  const stack = await startServices({ ...common, webRoot, replicas: { messaging: 2, realtime: 2 }, progress })
  try {
    code = await runPlaywright({ E2E_BASE_URL: stack.gatewayUrl, E2E_INBOX_URL: engines.addresses.inboxUrl })
  } finally {
    await stack.stop()
  }
} finally {
  await engines.stop()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(code)

function runPlaywright(env: Record<string, string>): Promise<number> {
  const cli = join(repoRoot, 'node_modules/@playwright/test/cli.js')
  const args = [cli, 'test', '--config', 'web/e2e/playwright.config.ts', ...process.argv.slice(2)]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: repoRoot,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    child.once('exit', (exit) => resolve(exit ?? 1))
  })
}
