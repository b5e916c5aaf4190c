/** After a pause, as many bytes pass at once as the rate allows in this time. */
const burstMs = 100

/**
 * Shares a rate of bytes among all callers in FIFO order. The returned function resolves when the caller's `bytes` may
 * pass.
 */
export function createPace(bytesPerSecond: number): (bytes: number) => Promise<void> {
  let freeAtMs = 0
  return async (bytes) => {
    const nowMs = performance.now()
    freeAtMs = Math.max(freeAtMs, nowMs - burstMs) + (bytes / bytesPerSecond) * 1000
    const waitMs = freeAtMs - nowMs
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
