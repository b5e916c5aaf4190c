import type { Tracing } from '@sumlock/service-kit/tracing'
import type { MessagingMetrics } from '../metrics.ts'
import type { CommitObserver } from './group-commit.ts'

/**
 * Measures insert commands. Each traced message also gets two spans: its wait for the previous command, and the command
 * that inserts it.
 */
export const observeCommits = (
  tracing: Tracing,
  { batchSize, commitSeconds }: Pick<MessagingMetrics, 'batchSize' | 'commitSeconds'>,
): CommitObserver => ({
  batch({ startedMs, endedMs, inserts }) {
    batchSize.observe(inserts.length)
    commitSeconds.observe((endedMs - startedMs) / 1000)
    for (const { request, arrivedMs } of inserts) {
      if (request?.traceparent === undefined) continue
      const parent = request.traceparent
      const attributes = { 'db.operation.batch.size': inserts.length }
      const waiting = tracing.start('wait for group commit', { parent, startedAtMs: arrivedMs })
      waiting.end({ endedAtMs: startedMs })
      const writing = tracing.start('group commit', {
        kind: 'client',
        parent,
        attributes,
        startedAtMs: startedMs,
      })
      writing.end({ endedAtMs: endedMs })
    }
  },
})
