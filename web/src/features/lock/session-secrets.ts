/**
 * Whether this page holds data that must not stay in memory once the calculator is on screen: the key of an unlock is
 * the first. Code behind the calculator calls `markSecret` when it loads, and registers a flush of unsent messages.
 */
let isMarked = false
let flushUnsent: (timeoutMs: number) => Promise<void> = () => Promise.resolve()
let key: string | undefined

export const sessionSecrets = {
  markSecret: (): void => {
    isMarked = true
  },
  get holdsSecrets(): boolean {
    return isMarked || key !== undefined
  },
  onFlush: (flush: (timeoutMs: number) => Promise<void>): void => {
    flushUnsent = flush
  },
  flush: (timeoutMs: number): Promise<void> => flushUnsent(timeoutMs),
  /** Encrypts unsent text; from the unlock answer, in memory only. */
  keepKey: (value: string | undefined): void => {
    key = value
  },
  get key(): string | undefined {
    return key
  },
}
