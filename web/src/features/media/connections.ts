/**
 * Browsers open six connections to a host. The media of one tab use at most three of them, so that texts always find
 * one.
 */
const most = 3

/** Runs each transfer as soon as a connection is free. */
export function createConnections() {
  let open = 0
  const waiting: (() => void)[] = []
  return async <T>(transfer: () => Promise<T>): Promise<T> => {
    if (open >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else open += 1
    try {
      return await transfer()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else open -= 1
    }
  }
}
