/** Holds the running fetch of the user. */
export function createUserFetch() {
  let asked = new AbortController()
  return {
    signal: (): AbortSignal => asked.signal,
    /** Aborts the running fetch, which then starts again, because an unlock or a lock has outdated its answer. */
    restart: (): void => {
      asked.abort()
      asked = new AbortController()
    },
  }
}

export type UserFetch = ReturnType<typeof createUserFetch>
