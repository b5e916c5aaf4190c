import { onInterrupt } from '../processes/on-interrupt.ts'
import { readProductOptions } from '../product/product-options.ts'
import { runProduct } from '../product/run-product.ts'
import type { Product } from '../product/run-product.ts'
import { failWith, progress } from '../product/terminal.ts'

// Runs the whole product in this terminal, until Ctrl-C or until one of its parts dies. `npm run dev` adds `--watch`:
// Vite serves the client and forwards /api and /ws, and a service restarts when a file it imports changes.
const startedAt = performance.now()
let product: Product | undefined
onInterrupt(async () => {
  process.stderr.write('\n  Stopping …\n')
  // If the start has not finished, its child processes are killed when this process exits.
  if (!product) return
  await product.stop().catch((error: unknown) => failWith(`The stop failed: ${String(error)}`))
  progress('Everything is stopped; your data is kept.')
  process.exit(0)
})
try {
  product = await runProduct(readProductOptions(), progress)
  process.stdout.write(summary(product))
} catch (error) {
  failWith(error)
}

function summary({ url, accounts, inboxUrl, logDir }: Product): string {
  const notes = { premium: '(premium)', free: '(free)', admin: '(administrator)' } as const
  const people = (['premium', 'free', 'admin'] as const).map((name) => {
    if (!accounts) return ''
    const { username, password, pin } = accounts[name]
    return `    ${username.padEnd(8)} password ${password}   PIN ${pin}   ${notes[name]}\n`
  })
  return `
  Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s

  Open      ${url}
${people.join('')}  On the calculator: type the PIN and press =  (menu → Settings signs you in first)

  Mail, SMS ${inboxUrl}
  Logs      ${logDir}
  Stop      Ctrl-C, or npm run stop in another terminal (your data is kept)
  More      npm run status, npm run logs

`
}
