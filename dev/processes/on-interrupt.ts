const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/**
 * Runs `clean` once when this process is asked to end (Ctrl-C, SIGTERM, a closed terminal), then exits with the code
 * shells give that signal, whether `clean` succeeded or not.
 */
export function onInterrupt(clean: () => Promise<void>): void {
  let cleaning = false
  const signals = Object.keys(exitCodes) as (keyof typeof exitCodes)[]
  for (const signal of signals) {
    process.on(signal, () => {
      if (cleaning) return
      cleaning = true
      const exit = () => process.exit(exitCodes[signal])
      clean().then(exit, exit)
    })
  }
}
