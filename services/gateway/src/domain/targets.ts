export interface Targets {
  /** All replicas that were not found dead, the next in turn first; all there are when every one was. */
  inTurn(): readonly string[]
  /** The next replica in turn that was not found dead within the last second, and none of `tried` if there is another. */
  next(tried?: ReadonlySet<string>): string
  /** A replica cannot be reached: leave it out for a second. */
  reportDown(url: string): void
  /** A replica is stopping: leave it out until it has surely closed its door, or was started again. */
  reportStopping(url: string): void
  isDown(url: string): boolean
  readonly count: number
}

const leaveOutMs = { down: 1000, stopping: 5000 }
const none: ReadonlySet<string> = new Set()

/** Round robin over replicas with passive health. With all of them down it goes on trying. */
export function createTargets(
  urls: readonly string[],
  nowMs: () => number = () => performance.now(),
): Targets {
  const downUntil = new Map<string, number>()
  const isDown = (url: string) => (downUntil.get(url) ?? 0) > nowMs()
  let turn = 0
  const all = () => {
    const inTurn = urls.map((_, index) => urls[(turn + index) % urls.length] as string)
    turn += 1
    return inTurn
  }
  return {
    inTurn() {
      const inTurn = all()
      const up = inTurn.filter((url) => !isDown(url))
      return up.length > 0 ? up : inTurn
    },
    next(tried = none) {
      const inTurn = all()
      const untried = inTurn.filter((url) => !tried.has(url))
      return untried.find((url) => !isDown(url)) ?? untried[0] ?? (inTurn[0] as string)
    },
    reportDown: (url) => downUntil.set(url, nowMs() + leaveOutMs.down),
    reportStopping: (url) => downUntil.set(url, nowMs() + leaveOutMs.stopping),
    isDown,
    count: urls.length,
  }
}
