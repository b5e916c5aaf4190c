/** How many handshakes an address may make within a window. */
export interface HandshakeLimit {
  /** False when the address made too many. */
  take(address: string): boolean
}

const windowMs = 10_000

/** Counts per process in fixed windows. */
export function createHandshakeLimit(perWindow: number, nowMs: () => number): HandshakeLimit {
  let counts = new Map<string, number>()
  let windowEndsMs = 0
  return {
    take(address) {
      if (nowMs() >= windowEndsMs) {
        counts = new Map()
        windowEndsMs = nowMs() + windowMs
      }
      const count = (counts.get(address) ?? 0) + 1
      counts.set(address, count)
      return count <= perWindow
    },
  }
}
