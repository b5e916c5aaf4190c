import { buildWeb } from './build-web.ts'
import { productUrl } from './local-ports.ts'
import { runProduct } from './run-product.ts'
import { stopOnSignal, summary } from './terminal.ts'

const startedAt = performance.now()
const progress = (line: string) => process.stderr.write(`  ${line}\n`)

const stopping = stopOnSignal()
try {
  const webRoot = await buildWeb(progress)
  const product = await runProduct({ progress, webRoot })
  stopping.use(() => product.stop())
  process.stdout.write(summary(product, productUrl, performance.now() - startedAt))
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
