/** The burst that may pass at once after a pause, in milliseconds of the rate. */
const burstMs = 100

/**
 * Shares a rate of bytes among all callers in FIFO order; resolves when the caller's `bytes` may pass.
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
