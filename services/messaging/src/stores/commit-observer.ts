import type { Tracing } from '@sumlock/service-kit/tracing'
import type { CommitObserver } from './group-commit.ts'

/** Shows each message's wait for the command before, and the command that stored it. */
export const traceCommits = (tracing: Tracing): CommitObserver => ({
  batch(inserts) {
    for (const { request, times } of inserts) {
      if (request?.traceparent === undefined) continue
      const { arrivedMs, startedMs, endedMs } = times
      const parent = request.traceparent
      tracing.start('wait for group commit', { parent, startedAtMs: arrivedMs }).end({ endedAtMs: startedMs })
      const attributes = { 'db.operation.batch.size': inserts.length }
      tracing
        .start('group commit', { kind: 'client', parent, startedAtMs: startedMs, attributes })
        .end({ endedAtMs: endedMs })
    }
  },
})
