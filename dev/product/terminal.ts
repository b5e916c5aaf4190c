import { onInterrupt } from '../processes/on-interrupt.ts'
import type { Product } from './run-product.ts'

export const progress = (text: string): void => {
  process.stderr.write(`  ${text.replaceAll('\n', '\n  ')}\n`)
}

export function failWith(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const isDiskFull = /ENOSPC|No space left/.test(message)
  const remedy = isDiskFull ? 'The disk is full: free some space and try again.\n' : ''
  process.stderr.write(`\n${remedy}${message}\n`)
  process.exit(1)
}

/** Calls `stop` once on Ctrl-C, SIGTERM or a closed terminal. Before `use` gave one, the process exits at once. */
export function stopOnSignal(): { use(stop: () => Promise<void>): void } {
  let stop: (() => Promise<void>) | undefined
  onInterrupt(async () => {
    progress('\nStopping …')
    if (!stop) return
    await stop().catch((error: unknown) => failWith(`The stop failed: ${String(error)}`))
    progress('Everything is stopped; your data is kept.')
    process.exit(0)
  })
  return {
    use(next) {
      stop = next
    },
  }
}

export function summary({ url, accounts, inboxUrl, logDir }: Product, elapsedMs: number): string {
  const notes = { premium: '(premium)', free: '(free)', admin: '(administrator)' } as const
  const people = accounts
    ? Object.entries(notes).map(([name, note]) => {
        const { username, password, pin } = accounts[name as keyof typeof notes]
        return `    ${username.padEnd(8)} password ${password}   PIN ${pin}   ${note}`
      })
    : []
  return [
    '',
    `  Ready in ${(elapsedMs / 1000).toFixed(1)} s`,
    '',
    `  Open      ${url}`,
    ...people,
    '  On the calculator: type the PIN and press =  (menu → Settings signs you in first)',
    '',
    `  Mail, SMS ${inboxUrl}`,
    `  Logs      ${logDir}`,
    '  Stop      Ctrl-C, or npm run stop in another terminal (your data is kept)',
    '  More      npm run status, npm run logs',
    '',
    '',
  ].join('\n')
}
