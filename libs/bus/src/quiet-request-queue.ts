import { createRequire } from 'node:module'

interface RequestQueue {
  pending: unknown[]
  throttledUntil: number
  scheduleCheckPendingRequests(): void
}

/**
 * Stops kafkajs 2.2.4 from re-arming a timer of 1 ms endlessly (with a negative delay, about which Node warns): it costs
 * 4-5 % of a core in every idle process. Without pending requests there is nothing to check.
 * Source: kafkajs src/network/requestQueue/index.js, `scheduleCheckPendingRequests`.
 */
export function quietRequestQueue(): void {
  const require = createRequire(import.meta.url)
  const Queue = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue & { quiet?: true } }
  if (Queue.prototype.quiet) return
  const original = Queue.prototype.scheduleCheckPendingRequests
  if (typeof original !== 'function')
    throw new Error('kafkajs has changed: check whether quiet-request-queue.ts is still needed')
  Queue.prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue) {
    if (this.pending.length > 0) original.call(this)
  }
  Queue.prototype.quiet = true
}
