/**
 * What must not stay in memory once the calculator is on screen. The code behind the calculator marks itself here when
 * it is loaded, and says what has to be sent before the page is replaced.
 */
let holdsSecrets = false
let flushUnsent: (timeoutMs: number) => Promise<void> = () => Promise.resolve()
let key: string | undefined

export const heap = {
  markSecret: (): void => {
    holdsSecrets = true
  },
  get holdsSecrets(): boolean {
    return holdsSecrets
  },
  onFlush: (flush: (timeoutMs: number) => Promise<void>): void => {
    flushUnsent = flush
  },
  flush: (timeoutMs: number): Promise<void> => flushUnsent(timeoutMs),
  /** The key of what is still unsent; from the unlock answer, in memory only. */
  keepKey: (value: string | undefined): void => {
    key = value
  },
  get key(): string | undefined {
    return key
  },
}
