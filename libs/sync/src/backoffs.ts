import type { SyncClock } from './ports.ts'

const firstDelayMs = 500
const maxDelayMs = 15_000

/** After a failed attempt, a conversation pauses. The pause doubles from 0.5 s to 15 s, with jitter. */
export interface Backoffs {
  isWaiting(conversationId: string): boolean
  /** Starts a pause, which lasts at least `retryAfterMs`. */
  start(conversationId: string, retryAfterMs: number | null): void
  reset(conversationId: string): void
  resetAll(): void
}

export function createBackoffs(clock: SyncClock, onEnd: (conversationId: string) => void): Backoffs {
  const backoffs = new Map<string, { attempts: number; timer: unknown }>()
  return {
    isWaiting: (conversationId) => (backoffs.get(conversationId)?.timer ?? null) !== null,
    start(conversationId, retryAfterMs) {
      const attempts = (backoffs.get(conversationId)?.attempts ?? 0) + 1
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1)) * (0.75 + clock.random() / 2)
      const timer = clock.setTimeout(
        () => {
          backoffs.set(conversationId, { attempts, timer: null })
          onEnd(conversationId)
        },
        Math.max(delayMs, retryAfterMs ?? 0),
      )
      backoffs.set(conversationId, { attempts, timer })
    },
    reset: (conversationId) => void backoffs.delete(conversationId),
    resetAll() {
      for (const { timer } of backoffs.values()) clock.clearTimeout(timer)
      backoffs.clear()
    },
  }
}
