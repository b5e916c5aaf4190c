import { createMetrics } from '@sumlock/service-kit/metrics'
import { Counter, Gauge } from 'prom-client'
import type { Lookup } from './infrastructure/session-cache.ts'

export type AdmissionRefusal =
  'busy' | 'no-permit' | 'too-often' | 'address' | 'network' | 'burst' | 'volume' | 'bodies' | 'connections'
export type StreamEnd = 'displaced' | 'too-slow' | 'unread'

export function createGatewayMetrics(metrics = createMetrics('gateway')) {
  const registers = [metrics.registry]
  const admissionRefusals = new Counter({
    name: 'admission_refusals_total',
    help: 'Refused requests: too many in flight in the gateway (busy) or at a service (no-permit), from one person or session (too-often, burst, of a day: volume), from one address or an IPv6 network around it (address, network), or with bodies that take too much memory together (bodies), and connections beyond those of one address or of all (connections)',
    labelNames: ['reason'] as const,
    registers,
  })
  const bodyBytes = new Gauge({
    name: 'request_body_bytes',
    help: 'Bytes of the request bodies that the gateway holds, arriving ones with their whole length',
    registers,
  })
  const streamEnds = new Counter({
    name: 'streams_ended_total',
    help: 'Uploads and downloads that the gateway broke off: for a newcomer without a permit (displaced), or because they took too long (too-slow); and other answers, because their readers leave too many unread (unread)',
    labelNames: ['reason'] as const,
    registers,
  })
  const lookups = new Counter({
    name: 'session_cache_lookups_total',
    help: 'How sessions were identified: from the cache (hit), by asking auth (miss), or by joining a running exchange (joined)',
    labelNames: ['result'] as const,
    registers,
  })
  return {
    ...metrics,
    refused: (reason: AdmissionRefusal) => admissionRefusals.inc({ reason }),
    bodyBytes: (change: number) => bodyBytes.inc(change),
    streamEnded: (reason: StreamEnd) => streamEnds.inc({ reason }),
    lookedUp: (result: Lookup) => lookups.inc({ result }),
  }
}
