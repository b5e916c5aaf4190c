import { limits } from '@sumlock/contracts/limits'
import type { Client } from '../../../api/client.ts'
import { TransferError } from '../put-file.ts'
import { retrying } from '../retrying.ts'
import type { RetryOptions } from '../retrying.ts'

interface Held {
  isShown: boolean
  endsAtMs: number
  release: () => void
}

export interface ReadingsOptions {
  client: Pick<Client, 'request' | 'nowMs'>
  loss: RetryOptions['loss']
}

export const readMs = limits.openOnceMinutes * 60_000

/** The page may end before the answer, and a lock may be faster. */
const quietly = { keepalive: true, isQuiet: true }

export const callOf = ({ request }: Pick<Client, 'request'>, id: string, method: 'POST' | 'DELETE') =>
  request({ url: `/api/messages/${id}/open`, method, ...(method === 'DELETE' && quietly) })

/** Holds the messages that the server has opened for this page. `onEnd` is called for each that ends. */
export function createReadings({ client, loss }: ReadingsOptions, onEnd: (id: string) => void) {
  const held = new Map<string, Held>()
  const ending = new Set<Promise<unknown>>()
  const stop = new AbortController()
  /** Repeats a lost call, because until it arrives the server gives the file to this session. */
  const tell = async (id: string, { endsAtMs, release }: Held) => {
    const step = async () => {
      const first = callOf(client, id, 'DELETE').finally(() => ending.delete(first))
      ending.add(first)
      const answer = await first
      stop.signal.throwIfAborted()
      if ('error' in answer && client.nowMs() < endsAtMs) throw new TransferError(answer.error.status)
    }
    await retrying(step, { loss, signal: stop.signal }).catch(() => undefined)
    release()
  }
  const end = (id: string) => {
    const one = held.get(id)
    if (!one) return
    held.delete(id)
    void tell(id, one)
    onEnd(id)
  }
  const endAll = () => [...held.keys()].forEach(end)
  return {
    begin(id: string, vanishAt: string | undefined, release: () => void): void {
      const nowMs = client.nowMs()
      const endsAtMs = Math.min(Date.parse(vanishAt ?? '') || Infinity, nowMs + readMs)
      held.set(id, { isShown: false, endsAtMs, release })
    },
    get: (id: string) => held.get(id),
    end,
    /** Ends those whose time is over, and returns when the next one ends. */
    endDue(nowMs: number): number {
      for (const [id, { endsAtMs }] of held) if (endsAtMs <= nowMs) end(id)
      return Math.min(...[...held.values()].map(({ endsAtMs }) => endsAtMs))
    },
    endAll,
    /** Ends all messages before a lock. Resolves when the server knows of it, or after this time. */
    async finish(withinMs: number): Promise<void> {
      endAll()
      const tooLong = new Promise((resolve) => setTimeout(resolve, withinMs))
      await Promise.race([Promise.all(ending), tooLong])
    },
    /** Ends the repetitions. */
    close: () => stop.abort(),
  }
}
