import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { startEngines } from '@sumlock/dev/engines/engines'
import type { Engines } from '@sumlock/dev/engines/engines'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import { buildWeb } from '@sumlock/dev/product/build-web'
import { longTimeouts } from '../kit/long-timeouts.ts'
import { openFaultLever } from '../runner/fault-lever.ts'

// The product as a person has it, on free ports and with data of its own, for Playwright.
const progress = (line: string) => process.stderr.write(`  ${line}\n`)
const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-e2e-'))
let engines: Engines | undefined
let stack: Stack | undefined
onInterrupt(clean)
let code: number
try {
  const webRoot = await buildWeb(progress)
  engines = await startEngines({ dataDir, progress })
  const { addresses, secrets } = engines
  const common = { addresses, secrets, namespace: 'e2e', mode: 'test', logLevel: 'warn', progress } as const
  const replicas = { messaging: 2, realtime: 2 }
  const env = longTimeouts()
  stack = await startServices({ ...common, logDir: join(dataDir, 'logs'), webRoot, replicas, env })
  const lever = await openFaultLever(engines)
  code = await runPlaywright({
    E2E_BASE_URL: stack.gatewayUrl,
    E2E_INBOX_URL: addresses.inboxUrl,
    E2E_LEVER_URL: lever.url,
  })
  lever.close()
} finally {
  await clean()
}
process.exit(code)

async function clean(): Promise<void> {
  await stack?.stop()
  await engines?.stop()
  const kept = join(repoRoot, 'artifacts/logs/e2e')
  await rm(kept, { recursive: true, force: true })
  if (engines) await cp(join(dataDir, 'logs'), kept, { recursive: true })
  await rm(dataDir, { recursive: true, force: true })
}

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
