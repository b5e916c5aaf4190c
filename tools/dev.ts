import { join } from 'node:path'
import { createChild } from '@sumlock/stack/child'
import { repoRoot } from '@sumlock/stack/config'
import { vitePort } from './local-ports.ts'
import { runProduct } from './run-product.ts'
import { stopOnSignal, summary } from './terminal.ts'

// The product with hot reload: Vite serves the client and passes /api and /ws on, a changed service starts again.
const startedAt = performance.now()
const progress = (line: string) => process.stderr.write(`  ${line}\n`)
const url = `http://localhost:${vitePort}`
const origins = [url, `http://127.0.0.1:${vitePort}`]
const stopping = stopOnSignal()
try {
  const product = await runProduct({ progress, webRoot: '', origins, watch: true })
  const vite = createChild({
    name: 'vite',
    command: process.execPath,
    args: [join(repoRoot, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1'],
    cwd: join(repoRoot, 'web'),
    env: { GATEWAY_URL: product.stack.gatewayUrl },
    logFile: join(product.logDir, 'vite.log'),
    ready: async () => (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok,
  })
  vite.onUnexpectedExit((reason) => progress(`Vite ended (${reason}). Its log: ${vite.logFile}`))
  stopping.use(async () => {
    await vite.stop()
    await product.stop()
  })
  await vite.start()
  process.stdout.write(summary(product, url, performance.now() - startedAt))
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
