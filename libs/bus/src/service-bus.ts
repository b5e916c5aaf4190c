import { backlogCountedTo, measureBacklog } from '@sumlock/service-kit/backlog-metrics'
import type { Backlog } from '@sumlock/service-kit/backlog-metrics'
import type { CommonConfig } from '@sumlock/service-kit/config'
import { kafkaConnection } from '@sumlock/service-kit/kafka-settings'
import type { KafkaSettings } from '@sumlock/service-kit/kafka-settings'
import type { ServiceBase } from '@sumlock/service-kit/service-base'
import { stopAfterFailure } from '@sumlock/service-kit/stop-after-failure'
import type { Connection } from 'mongoose'
import { createBus } from './bus.ts'
import type { Bus } from './bus.ts'
import { createEventOutbox } from './outbox.ts'
import type { EventOutbox } from './outbox.ts'
import { subscribe } from './subscribe.ts'
import type { Subscription, SubscribeOptions } from './subscribe.ts'

/** Opens the bus of a service, and closes it when the service stops. */
export function openBus(base: ServiceBase<CommonConfig & KafkaSettings>): Bus {
  const { config, logger, onClose, onWarmUp } = base
  const bus = createBus({
    ...kafkaConnection(config),
    clientId: config.INSTANCE,
    namespace: config.SUMLOCK_NAMESPACE,
    logger,
  })
  onClose(() => bus.close())
  onWarmUp(bus.connect)
  return bus
}

/** Opens the outbox of a service, and measures its backlog. `readers` count other records that wait to be published. */
export function openOutbox(
  { name, clock, logger, metrics, onClose }: ServiceBase,
  { bus, connection }: { bus: Bus; connection: Connection },
  readers: Record<string, () => Promise<Backlog>> = {},
): EventOutbox {
  const outbox = createEventOutbox({ connection, bus, clock, logger, source: name })
  onClose(() => outbox.close())
  measureBacklog({
    registry: metrics.registry,
    name: 'outbox',
    clock,
    readers: { ...readers, events: () => outbox.backlog(backlogCountedTo) },
  })
  return outbox
}

/**
 * Consumes events until the service stops. When the consumer fails permanently, the process stops in an orderly way, so
 * that it is started again.
 */
export function openSubscription(
  { logger, metrics, tracing, onClose, onWarmUp }: ServiceBase,
  {
    bus,
    ...options
  }: Pick<SubscribeOptions, 'group' | 'handlers' | 'skipsHinted' | 'skipsOlderThanMs'> & {
    bus: Bus
  },
): Subscription {
  let hasFailed = false
  const subscription = subscribe(bus, {
    ...options,
    metrics: metrics.registry,
    tracing,
    onFatal: (error) => {
      if (hasFailed) return
      hasFailed = true
      logger.fatal(
        { err: error },
        'Kafka consumer failed permanently; the process stops so that it is started again',
      )
      stopAfterFailure()
    },
  })
  onClose(() => subscription.stop())
  onWarmUp(() => subscription.ready)
  return subscription
}
