/**
 * Browsers open six connections to a host. The media of one tab use at most three of them, so that text messages do not
 * wait for media.
 */
const most = 3

/** Returns a function that runs a transfer, once fewer than three others are running. */
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
