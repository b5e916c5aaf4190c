/** Media of one tab use at most so many connections, so that texts always find one (browsers open six to a host). */
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
