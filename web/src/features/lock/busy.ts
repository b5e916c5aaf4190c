/**
 * Counts activities that need no touch, such as a recording, a video or an upload. In a visible page they keep the
 * session unlocked.
 */
export function createBusy() {
  let running = 0
  return {
    /** Counts an activity until the returned function is called. */
    begin: (): (() => void) => {
      let isOver = false
      running += 1
      return () => {
        if (!isOver) running -= 1
        isOver = true
      }
    },
    /** Returns whether an activity is running. A hidden page is never busy. */
    isBusy: (): boolean => running > 0 && !document.hidden,
  }
}

export type Busy = ReturnType<typeof createBusy>
