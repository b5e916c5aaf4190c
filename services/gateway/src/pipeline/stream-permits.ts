import type { Clock } from '@sumlock/service-kit/clock'

/** A stream is an upload or download in progress. */
export interface Stream {
  readonly personId: string
  /** The stream may take this many ms; without a value its time is not limited. */
  readonly allowedMs?: number | undefined
  /** Returns the number of bytes that the stream has moved so far. */
  bytes(): number
  end(): void
}

export interface StreamPermits {
  /** Counts a stream until `release` is called. Returns undefined when the stream is refused. */
  admit(stream: Stream): { release: () => void } | undefined
  /**
   * Ends one stream for this newcomer, which is already counted: the slowest stream of the person with most streams. Returns
   * false when that person would have fewer than two without the newcomer.
   */
  makeRoomFor(newcomer: Stream): boolean
  /**
   * Returns the ms after which a stream will have ended and a refused person can try again. The value is half a minute at
   * most, because most streams end sooner.
   */
  waitMsOf(personId: string): number
}

interface Running {
  stream: Stream
  startedAtMs: number
}

/** A new stream counts as if it had already moved these bytes in a second, so that its age does not make it the slowest. */
const headStart = { bytes: 64 * 1024, ms: 1000 }
const longestWaitMs = 30_000

/** Allows at most `perPerson` streams for one person, and `total` in all. Beyond `total`, a new stream may end another one. */
export function createStreamPermits(
  { perPerson, total }: { perPerson: number; total: number },
  clock: Pick<Clock, 'nowMs'>,
  onEnded: () => void = () => undefined,
): StreamPermits {
  const byPerson = new Map<string, Set<Running>>()
  let count = 0

  const remove = (running: Running) => {
    const own = byPerson.get(running.stream.personId)
    if (!own?.delete(running)) return
    count -= 1
    if (own.size === 0) byPerson.delete(running.stream.personId)
  }

  const bytesPerMs = ({ stream, startedAtMs }: Running) =>
    (stream.bytes() + headStart.bytes) / (clock.nowMs() - startedAtMs + headStart.ms)

  const makeRoomFor = (newcomer: Stream): boolean => {
    const own = [...(byPerson.get(newcomer.personId) ?? [])]
    // The newcomer counts for its person, but is not among the streams that may be ended.
    let most = own.filter(({ stream }) => stream !== newcomer)
    let size = own.length
    for (const other of byPerson.values()) {
      if (other.size <= size) continue
      most = [...other]
      size = other.size
    }
    if (most.length < 2) return false
    const slowest = most.reduce((a, b) => (bytesPerMs(b) < bytesPerMs(a) ? b : a))
    remove(slowest)
    slowest.stream.end()
    onEnded()
    return true
  }

  return {
    admit(stream) {
      const { personId } = stream
      const own = byPerson.get(personId) ?? new Set()
      if (own.size >= perPerson) return undefined
      const running = { stream, startedAtMs: clock.nowMs() }
      byPerson.set(personId, own.add(running))
      count += 1
      if (count > total && !makeRoomFor(stream)) {
        remove(running)
        return undefined
      }
      return { release: () => remove(running) }
    },
    makeRoomFor,
    waitMsOf(personId) {
      const own = byPerson.get(personId) ?? new Set()
      const running = own.size >= perPerson ? [...own] : [...byPerson.values()].flatMap((all) => [...all])
      const leftMs = ({ stream, startedAtMs }: Running) =>
        startedAtMs + (stream.allowedMs ?? Infinity) - clock.nowMs()
      return Math.min(longestWaitMs, ...running.map(leftMs))
    },
  }
}
