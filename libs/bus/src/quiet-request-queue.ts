// @ts-expect-error kafkajs declares no types for its inner files.
import kafkaRequestQueue from 'kafkajs/src/network/requestQueue/index.js'

interface RequestQueue {
  pending: unknown[]
  scheduleCheckPendingRequests(): void
}

/**
 * Keeps kafkajs 2.2.4 from waking an idle process: it arms a timer of 1 ms again and again, some with a negative delay,
 * about which Node warns. Without pending requests the timer has nothing to check. Source: kafkajs issue #1704,
 * src/network/requestQueue/index.js.
 */
export function quietRequestQueue(): void {
  const Queue = kafkaRequestQueue as { prototype: RequestQueue & { quiet?: true } }
  if (Queue.prototype.quiet) return
  const original = Queue.prototype.scheduleCheckPendingRequests
  if (typeof original !== 'function')
    throw new Error('kafkajs has changed: check whether quiet-request-queue.ts is still needed')
  Queue.prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue) {
    if (this.pending.length > 0) original.call(this)
  }
  Queue.prototype.quiet = true
}
