import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/stack/config'
import { waitUntil } from '@sumlock/stack/wait-until'
import { vitePort } from './local-ports.ts'
import { runProduct } from './run-product.ts'
import { stopOnSignal, summary } from './terminal.ts'

// The product with hot reload: Vite serves the client and passes /api and /ws on, a changed service starts again.
const startedAt = performance.now()
const progress = (line: string) => process.stderr.write(`  ${line}\n`)
const origins = [`http://localhost:${vitePort}`, `http://127.0.0.1:${vitePort}`]
const stopping = stopOnSignal()
try {
  const product = await runProduct({ progress, webRoot: '', origins, watch: true })
  const vite = spawn(
    process.execPath,
    [join(repoRoot, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1'],
    {
      cwd: join(repoRoot, 'web'),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, GATEWAY_URL: product.stack.gatewayUrl },
      detached: true,
    },
  )
  process.on('exit', () => vite.kill('SIGKILL'))
  stopping.use(async () => {
    vite.kill('SIGTERM')
    await product.stop()
  })
  const url = `http://127.0.0.1:${vitePort}`
  await waitUntil('Vite to answer', async () => (await fetch(url)).ok)
  process.stdout.write(summary(product, url, performance.now() - startedAt))
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
