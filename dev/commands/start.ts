import { buildWeb } from '../product/build-web.ts'
import { readProductOptions } from '../product/product-options.ts'
import { runProduct } from '../product/run-product.ts'
import { failWith, progress, stopOnSignal, summary } from '../product/terminal.ts'

// The whole product in this terminal. It ends on Ctrl-C, and when one of its parts dies.
const startedAt = performance.now()
const stopping = stopOnSignal()
try {
  const options = readProductOptions()
  const url = `http://localhost:${options.port}`
  const webRoot = () => buildWeb(progress)
  const product = await runProduct({ ...options, command: 'npm start', url, progress, webRoot })
  stopping.use(() => product.stop())
  process.stdout.write(summary(product, url, performance.now() - startedAt))
} catch (error) {
  failWith(error)
}
