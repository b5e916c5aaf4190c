import { join } from 'node:path'
import { createChild } from '../processes/child.ts'
import { repoRoot } from '../config.ts'
import { localPorts } from '../product/local-ports.ts'
import { readProductOptions } from '../product/product-options.ts'
import { restartOnChange } from '../product/restart-on-change.ts'
import { runProduct } from '../product/run-product.ts'
import { failWith, progress, stopOnSignal, summary } from '../product/terminal.ts'

// The product with hot reload: Vite serves the client and passes /api and /ws on, a changed service starts again.
const startedAt = performance.now()
const stopping = stopOnSignal()
try {
  const options = readProductOptions()
  const { vite: port } = localPorts(options.port)
  const url = `http://localhost:${port}`
  const origins = [url, `http://127.0.0.1:${port}`, ...options.origins]
  const webRoot = () => Promise.resolve('')
  const product = await runProduct({ ...options, command: 'npm run dev', url, progress, webRoot, origins })
  const vite = createChild({
    name: 'vite',
    command: process.execPath,
    args: [join(repoRoot, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', String(port)],
    cwd: join(repoRoot, 'web'),
    env: { GATEWAY_URL: product.stack.gatewayUrl },
    logFile: join(product.logDir, 'vite.log'),
    ready: async () => (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok,
  })
  const stopWatching = restartOnChange(product.stack.services, product.supervisor, progress)
  stopping.use(async () => {
    stopWatching()
    await Promise.all([vite.stop(), product.stop()])
  })
  await vite.start()
  product.supervisor.watch(vite, { kind: 'http', url, port })
  process.stdout.write(summary(product, url, performance.now() - startedAt))
} catch (error) {
  failWith(error)
}
