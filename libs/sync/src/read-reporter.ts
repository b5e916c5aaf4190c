import type { MessageList } from './message-list.ts'
import type { SyncClock } from './ports.ts'
import { within } from './within.ts'

export interface ReadReporter {
  /** Call it when the person sees the list. */
  report(list: MessageList): void
  close(): void
}

export interface ReadReporterOptions {
  clock: SyncClock
  userId: string
  markRead: (seq: number, signal: AbortSignal) => Promise<unknown>
}

const answerWithinMs = 10_000

/** Reports to the server how far the person has read: one call at a time, with the newest seq, never beyond a gap. */
export function createReadReporter({ clock, userId, markRead }: ReadReporterOptions): ReadReporter {
  let wanted = 0
  let reported = 0
  let running = false
  let closed = false

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
    }
    running = false
  }
  return {
    report(list) {
      // Only the last unread message counts: later ones may be read already, because messages of a blocked person are
      // never unread.
      const last = list.messages.findLast(
        ({ seq, senderId, isRead }) => seq <= list.watermark && senderId !== userId && !isRead,
      )
      if (!last || last.seq <= reported) return
      wanted = last.seq
      if (!running) void run()
    },
    close() {
      closed = true
    },
  }
}
