import { createMetrics } from '@sumlock/service-kit/metrics'
import { Counter, Histogram } from 'prom-client'

export type MessagingMetrics = ReturnType<typeof createMessagingMetrics>

export function createMessagingMetrics(metrics = createMetrics('messaging')) {
  const registers = [metrics.registry]
  return {
    ...metrics,
    refusals: new Counter({
      name: 'message_refusals_total',
      help: 'Refused sends by error code (daily_limit_reached is the quota)',
      labelNames: ['code'] as const,
      registers,
    }),
    uploadRefusals: new Counter({
      name: 'upload_refusals_total',
      help: 'Refused reservations of uploads by error code (storage_full: no storage is left; too_many_requests: too many uploads are unfinished)',
      labelNames: ['code'] as const,
      registers,
    }),
    batchSize: new Histogram({
      name: 'group_commit_batch_messages',
      help: 'Messages per insert command, including those that an index refused',
      buckets: [1, 2, 5, 10, 20, 50, 100, 200],
      registers,
    }),
    commitSeconds: new Histogram({
      name: 'group_commit_duration_seconds',
      help: 'Duration of an insert command in seconds',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers,
    }),
  }
}
