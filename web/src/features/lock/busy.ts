/**
 * Something that a person attends to without touching the page: a recording, a film, an upload. While the page is visible,
 * it counts as activity.
 */
export function createBusy() {
  let running = 0
  return {
    /** Lasts until the returned function is called. */
    begin: (): (() => void) => {
      let isOver = false
      running += 1
      return () => {
        if (!isOver) running -= 1
        isOver = true
      }
    },
    /** Whether something runs that keeps the unlock; a hidden page never does. */
    isBusy: (): boolean => running > 0 && !document.hidden,
  }
}

export type Busy = ReturnType<typeof createBusy>
