import { join } from 'node:path'
import { createChild } from '../processes/child.ts'
import { repoRoot } from '../config.ts'
import { localPorts } from '../product/local-ports.ts'
import { readProductOptions } from '../product/product-options.ts'
import { runProduct } from '../product/run-product.ts'
import { failWith, progress, stopOnSignal, summary } from '../product/terminal.ts'

// The product with hot reload: Vite serves the client and forwards /api and /ws; a service restarts when a file it
// imports changes.
const startedAt = performance.now()
const stopping = stopOnSignal()
try {
  const options = readProductOptions()
  const { vite: port, services } = localPorts(options.port)
  const url = `http://localhost:${port}`
  const vite = createChild({
    name: 'vite',
    command: process.execPath,
    args: [join(repoRoot, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', String(port)],
    cwd: join(repoRoot, 'web'),
    env: { GATEWAY_URL: `http://127.0.0.1:${services.gateway[0]?.public}` },
    logFile: join(options.dataDir, 'logs/vite.log'),
    ready: async () => (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok,
  })
  const product = await runProduct({
    ...options,
    origins: [url, `http://127.0.0.1:${port}`, ...options.origins],
    command: 'npm run dev',
    url,
    progress,
    webRoot: () => Promise.resolve(''),
    watch: true,
  })
  stopping.use(async () => {
    await Promise.all([vite.stop(), product.stop()])
  })
  await vite.start()
  product.endOnDeath([vite])
  process.stdout.write(summary(product, url, performance.now() - startedAt))
} catch (error) {
  failWith(error)
}
