const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** Runs `clean` once on SIGINT, SIGTERM or SIGHUP, then exits with the shell's code for that signal even if it failed. */
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
