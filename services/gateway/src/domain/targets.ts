export interface Targets {
  /** The next replica in turn that was not found dead within the last second. */
  next(): string
  /** A replica refused the connection: leave it out for a second. */
  reportDown(url: string): void
}

const leaveOutMs = 1000

/** Round robin over replicas with passive health. With all of them down it goes on trying. */
export function createTargets(
  urls: readonly string[],
  nowMs: () => number = () => performance.now(),
): Targets {
  const downUntil = new Map<string, number>()
  let turn = 0
  return {
    next() {
      for (let tries = 0; tries < urls.length; tries += 1) {
        const url = urls[turn++ % urls.length] as string
        if ((downUntil.get(url) ?? 0) <= nowMs()) return url
      }
      return urls[turn++ % urls.length] as string
    },
    reportDown: (url) => downUntil.set(url, nowMs() + leaveOutMs),
  }
}
