import { shareInterval } from '@sumlock/service-kit/shared-interval'
// @ts-expect-error kafkajs declares no types for its inner files.
import kafkaRequestQueue from 'kafkajs/src/network/requestQueue/index.js'

interface RequestQueue {
  pending: unknown[]
  inflight: Map<unknown, { sentAt: number; requestTimeout: number; timeoutRequest(): void }>
  isConnected(): boolean
  scheduleCheckPendingRequests(): void
  scheduleRequestTimeoutCheck(): void
}

/** Our shortest time limit of a request is ten seconds. */
const timeoutCheckEveryMs = 1000
const connected = new Set<RequestQueue>()

/**
 * Keeps the timers of kafkajs 2.2.4 from waking an idle process. It re-arms one of 1 ms endlessly (with a negative delay, about
 * which Node warns), which costs 4-5 % of a core: without pending requests there is nothing to check. And each connection looks
 * ten times a second whether a request has timed out. Source: kafkajs src/network/requestQueue/index.js.
 */
export function quietRequestQueue(): void {
  const Queue = kafkaRequestQueue as { prototype: RequestQueue & { quiet?: true } }
  if (Queue.prototype.quiet) return
  const original = Queue.prototype.scheduleCheckPendingRequests
  if (typeof original !== 'function' || typeof Queue.prototype.scheduleRequestTimeoutCheck !== 'function')
    throw new Error('kafkajs has changed: check whether quiet-request-queue.ts is still needed')
  Queue.prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue) {
    if (this.pending.length > 0) original.call(this)
  }
  Queue.prototype.scheduleRequestTimeoutCheck = function schedule(this: RequestQueue) {
    connected.add(this)
  }
  shareInterval(timeoutCheckEveryMs, endTimedOutRequests)
  Queue.prototype.quiet = true
}

function endTimedOutRequests(): void {
  for (const queue of connected) {
    for (const request of queue.inflight.values())
      if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest()
    if (!queue.isConnected()) connected.delete(queue)
  }
}
