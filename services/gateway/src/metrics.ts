import { createMetrics } from '@sumlock/service-kit/metrics'
import { Counter } from 'prom-client'
import type { Lookup } from './domain/session-cache.ts'

export type AdmissionRefusal = 'busy' | 'no-place' | 'too-often'

/** The figures of the gateway. */
export function createGatewayMetrics(metrics = createMetrics('gateway')) {
  const registers = [metrics.registry]
  const admissionRefusals = new Counter({
    name: 'admission_refusals_total',
    help: 'Requests turned away: too many under way in the gateway (busy) or at a service (no-place), or from one person (too-often)',
    labelNames: ['reason'] as const,
    registers,
  })
  const lookups = new Counter({
    name: 'session_cache_lookups_total',
    help: 'How sessions were identified: remembered (hit), asked of auth (miss), or with a question under way (joined)',
    labelNames: ['result'] as const,
    registers,
  })
  return {
    ...metrics,
    refused: (reason: AdmissionRefusal) => admissionRefusals.inc({ reason }),
    lookedUp: (result: Lookup) => lookups.inc({ result }),
  }
}
