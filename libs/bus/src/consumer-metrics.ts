import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'

export interface ConsumerMetrics {
  /** Shows the records of each partition that were not consumed yet. */
  lag: Gauge<'topic' | 'partition'>
  /** Counts the attempts that ended with `unavailable`. */
  retries: Counter<'topic'>
  deadLetters: Counter<'topic'>
}

/** Creates the metrics of a consumer. A registry accepts those of one consumer only. */
export function createConsumerMetrics(registry: Registry): ConsumerMetrics {
  const registers = [registry]
  return {
    lag: new Gauge({
      name: 'consumer_lag_records',
      help: 'Records of a partition this consumer has not handled yet',
      labelNames: ['topic', 'partition'],
      registers,
    }),
    retries: new Counter({
      name: 'consumer_retries_total',
      help: 'Attempts to handle an event that ended because a dependency was unavailable',
      labelNames: ['topic'],
      registers,
    }),
    deadLetters: new Counter({
      name: 'consumer_dead_letters_total',
      help: 'Events sent to a dead-letter topic',
      labelNames: ['topic'],
      registers,
    }),
  }
}
