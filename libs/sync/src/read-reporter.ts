import type { MessageList } from './message-list.ts'
import type { SyncClock } from './ports.ts'
import { within } from './within.ts'

export interface ReadReporter {
  /** Call it when the person has seen the messages up to `shownSeq`. */
  report(list: MessageList, shownSeq: number): void
  close(): void
}

export interface ReadReporterOptions {
  clock: SyncClock
  userId: string
  markRead: (seq: number, signal: AbortSignal) => Promise<unknown>
}

const answerWithinMs = 10_000
/** While a person scrolls through unread messages, at most one report is sent in this time. */
const pauseMs = 500

/**
 * Reports to the server how far the person has read: one call at a time, with the newest seq that was on the screen,
 * never beyond a gap.
 */
export function createReadReporter({ clock, userId, markRead }: ReadReporterOptions): ReadReporter {
  let wanted = 0
  let reported = 0
  let running = false
  let closed = false
  let timer: unknown

  const run = async () => {
    running = true
    while (wanted > reported && !closed) {
      const seq = wanted
      try {
        await within(clock, answerWithinMs, (signal) => markRead(seq, signal))
        reported = seq
      } catch {
        // No caller waits for this report; the next one includes it.
        break
      }
      if (!closed) await new Promise<void>((resolve) => (timer = clock.setTimeout(resolve, pauseMs)))
    }
    running = false
  }
  return {
    report(list, shownSeq) {
      // Only the last unread message counts: later ones may be read already, because messages of a blocked person are
      // never unread.
      const last = list.messages.findLast(
        ({ seq, senderId, isRead }) =>
          seq <= Math.min(list.watermark, shownSeq) && senderId !== userId && !isRead,
      )
      if (!last || last.seq <= reported) return
      wanted = last.seq
      if (!running) void run()
    },
    close() {
      closed = true
      clock.clearTimeout(timer)
    },
  }
}
