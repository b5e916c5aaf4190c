import type { Product } from './run-product.ts'

/** Prints progress for a person, with every line indented. */
export const progress = (text: string): void => {
  process.stderr.write(`  ${text.replaceAll('\n', '\n  ')}\n`)
}

/** Ends this process with a sentence for a person. */
export function failWith(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const isDiskFull = /ENOSPC|No space left/.test(message)
  process.stderr.write(
    `\n${isDiskFull ? 'The disk is full: free some space and try again.\n' : ''}${message}\n`,
  )
  process.exit(1)
}

/** Calls `stop` once on Ctrl-C, SIGTERM or a closed terminal. Before `use` gave one, the process exits at once. */
export function stopOnSignal(): { use(stop: () => Promise<void>): void } {
  let stop: (() => Promise<void>) | undefined
  let stopping = false
  const onSignal = () => {
    if (stopping) return
    stopping = true
    process.stderr.write('\n  Stopping …\n')
    const done = () => {
      process.stderr.write('  Everything is stopped; your data is kept.\n')
      process.exit(0)
    }
    if (!stop) process.exit(130)
    stop().then(done, (error: unknown) => {
      process.stderr.write(`  The stop failed: ${String(error)}\n`)
      process.exit(1)
    })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return {
    use(next) {
      stop = next
    },
  }
}

/** What a person needs to know after a start. */
export function summary(product: Product, url: string, elapsedMs: number): string {
  const { accounts } = product
  const person = (
    { username, password, pin }: { username: string; password: string; pin: string },
    note: string,
  ) => `    ${username.padEnd(8)} password ${password}   PIN ${pin}   ${note}`
  return [
    '',
    `  Ready in ${(elapsedMs / 1000).toFixed(1)} s`,
    '',
    `  Open      ${url}`,
    ...(accounts
      ? [
          person(accounts.premium, '(premium)'),
          person(accounts.free, '(free)'),
          person(accounts.admin, '(administrator)'),
        ]
      : []),
    '  On the calculator: type the PIN and press =  (menu → Settings signs you in first)',
    '',
    `  Mail, SMS ${product.inboxUrl}`,
    `  Logs      ${product.logDir}`,
    '  Stop      Ctrl-C, or npm run stop in another terminal (your data is kept)',
    '  More      npm run status, npm run logs',
    '',
    '',
  ].join('\n')
}
