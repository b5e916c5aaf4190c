import type { StackOptions } from '@sumlock/dev/product/services'

// Usage: node run-release.ts <module with startServices> <options as JSON>. start-release.ts starts this program, which
// ends when its parent disconnects.
const [startModule = '', options = ''] = process.argv.slice(2)
const { startServices } = (await import(startModule)) as {
  startServices: (options: StackOptions) => Promise<{ gatewayUrl: string; stop: () => Promise<void> }>
}
const stack = await startServices(JSON.parse(options) as StackOptions)
process.once('disconnect', () => void stack.stop().then(() => process.exit(0)))
process.send?.(stack.gatewayUrl)
