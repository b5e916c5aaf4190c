/** Requests the account password once for all calls that were refused without it. */
export function createPasswordPrompt() {
  let waiting: PromiseWithResolvers<boolean> | null = null
  const listeners = new Set<() => void>()
  const change = (next: typeof waiting) => {
    waiting = next
    for (const listener of listeners) listener()
  }
  return {
    isAsked: (): boolean => waiting !== null,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Resolves to true once the password was given, and to false if the person declined. */
    ask: (): Promise<boolean> => {
      if (!waiting) change(Promise.withResolvers())
      return waiting?.promise ?? Promise.resolve(false)
    },
    answer: (isGiven: boolean): void => {
      waiting?.resolve(isGiven)
      if (waiting) change(null)
    },
  }
}

export type PasswordPrompt = ReturnType<typeof createPasswordPrompt>
