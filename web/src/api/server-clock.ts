/** Follows the server's clock by the dates of its answers. */
export function createServerClock() {
  /** The server's clock is ahead of this device's clock, and of the time since this page began, by these times. */
  let aheadMs = 0
  let sinceMs = -Infinity
  return {
    read({ headers }: Response): void {
      // The date drops the fraction of a second, so its average is added.
      const atMs = Date.parse(headers.get('date') ?? '') + 500
      if (!atMs) return
      aheadMs = atMs - Date.now()
      sinceMs = atMs - performance.now()
    },
    /**
     * Returns the present time by the server's clock in milliseconds, exact to a second. The device's clock may have been
     * set back, and the other one may have stood still while the device slept, so the later of the two counts.
     */
    nowMs: (): number => Math.max(Date.now() + aheadMs, performance.now() + sinceMs),
  }
}
