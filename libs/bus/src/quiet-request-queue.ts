import { createRequire } from 'node:module'

interface RequestQueue {
  pending: unknown[]
  throttledUntil: number
  scheduleCheckPendingRequests(): void
}

/**
 * kafkajs 2.2.4 re-arms a timer of 1 ms for ever (with a negative delay, which Node also warns about): 4-5 % of a core
 * in every idle process. With nothing pending there is nothing to check, so the timer is not armed then.
 * Source: kafkajs src/network/requestQueue/index.js, `scheduleCheckPendingRequests`.
 */
export function quietRequestQueue(): void {
  const require = createRequire(import.meta.url)
  const Queue = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue & { quiet?: true } }
  if (Queue.prototype.quiet) return
  const original = Queue.prototype.scheduleCheckPendingRequests
  if (typeof original !== 'function')
    throw new Error('kafkajs changed: quiet-request-queue.ts has to be looked at again')
  Queue.prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue) {
    if (this.pending.length > 0) original.call(this)
  }
  Queue.prototype.quiet = true
}
