import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'

export type UnconfirmedRecords = Counter<'type'>

/**
 * Counts the events that the service which owns their data did not confirm. Anybody who can write to Kafka may have
 * written them.
 */
export const createUnconfirmedRecords = (registry: Registry): UnconfirmedRecords =>
  new Counter({
    name: 'unconfirmed_records_total',
    help: 'Events that the service which owns their data did not confirm; they changed nothing',
    labelNames: ['type'],
    registers: [registry],
  })
