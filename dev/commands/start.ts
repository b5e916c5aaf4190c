import { readProductOptions } from '../product/product-options.ts'
import { runProduct } from '../product/run-product.ts'
import { failWith, progress, stopOnSignal, summary } from '../product/terminal.ts'

// The whole product in this terminal. It ends on Ctrl-C, and when one of its parts dies. `npm run dev` adds `--watch`:
// Vite serves the client and forwards /api and /ws, and a service restarts when a file it imports changes.
const startedAt = performance.now()
const stopping = stopOnSignal()
try {
  const product = await runProduct(readProductOptions(), progress)
  stopping.use(product.stop)
  process.stdout.write(summary(product, performance.now() - startedAt))
} catch (error) {
  failWith(error)
}
