import { createMetrics } from '@sumlock/service-kit/metrics'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { HashQueue } from './infrastructure/hash-queue.ts'

const phoneCodeResults = [
  'sent',
  'refused-country',
  'refused-address',
  'refused-network',
  'refused-number',
  'refused-share',
  'refused-budget',
] as const
export type PhoneCodeResult = (typeof phoneCodeResults)[number]

/** Adds the metrics of auth to those of every service. */
export function createAuthMetrics(metrics = createMetrics('auth')) {
  const registers = [metrics.registry]
  const waited = new Histogram({
    name: 'hash_queue_wait_seconds',
    help: 'How long a password waited to be hashed, in seconds',
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const refusals = new Counter({
    name: 'hash_queue_refusals_total',
    help: 'Passwords refused because the queue was full or the wait too long',
    registers,
  })
  const phoneCodes = new Counter({
    name: 'phone_codes_total',
    help: 'Requests for a phone code: sent, or refused for their country, their number, their address or an IPv6 network around it, because the part of the hour’s budget for further codes of an address is spent (share), or all of it (budget)',
    labelNames: ['result'] as const,
    registers,
  })
  const verified = new Counter({
    name: 'phone_codes_verified_total',
    help: 'Phone codes that were entered rightly',
    registers,
  })
  for (const result of phoneCodeResults) phoneCodes.inc({ result }, 0)
  return {
    ...metrics,
    phoneCodeVerified: () => verified.inc(),
    phoneCode: (result: PhoneCodeResult) => phoneCodes.inc({ result }),
    hashing: {
      onStart: (waitedMs: number) => waited.observe(waitedMs / 1000),
      onRefused: () => refusals.inc(),
    },
    measureHashQueue: (queue: HashQueue) =>
      new Gauge({
        name: 'hash_queue_waiting',
        help: 'Passwords in the queue',
        registers,
        collect() {
          this.set(queue.waiting)
        },
      }),
  }
}
