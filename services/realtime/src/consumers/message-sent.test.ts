import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { noTracing } from '@sumlock/service-kit/tracing'
import type { Tracing } from '@sumlock/service-kit/tracing'
import { createRealtimeMetrics } from '../metrics.ts'
import { createMessageDelivery } from './message-sent.ts'

it('delivers a message once, whether its hint or its event comes first, and again only after its id was evicted', () => {
  const emitted: string[] = []
  const ended: string[] = []
  const ctx = {
    tracing: {
      ...noTracing,
      start: ((name, ...rest) => ({
        ...noTracing.start(name, ...rest),
        end: () => void ended.push(name),
      })) as Tracing['start'],
    },
    logger: createLogger({ service: 'realtime', instance: 'test', level: 'silent' }),
    metrics: createRealtimeMetrics(),
    clock: systemClock(),
  }
  const sockets = {
    emit: (_members: readonly string[], event: unknown) =>
      void emitted.push((event as { data: { id: string } }).data.id),
  }
  const deliver = createMessageDelivery(ctx, sockets, 2)
  const sent = (id: string) =>
    ({ message: { id, createdAt: new Date().toISOString() }, memberIds: ['ann', 'ben'] }) as never
  deliver('hint', sent('a'))
  deliver('kafka', sent('a'))
  deliver('kafka', sent('b'))
  deliver('hint', sent('b'))
  expect(emitted).toEqual(['a', 'b'])
  deliver('hint', sent('c'))
  deliver('kafka', sent('b'))
  expect(emitted).toEqual(['a', 'b', 'c'])
  deliver('kafka', sent('a'))
  expect(emitted).toEqual(['a', 'b', 'c', 'a'])
  expect(ended).toHaveLength(4)
})

it('delivers a message that its recipient blocked to the devices of the sender alone', () => {
  const receivers: (readonly string[])[] = []
  const ctx = {
    tracing: noTracing,
    logger: createLogger({ service: 'realtime', instance: 'test', level: 'silent' }),
    metrics: createRealtimeMetrics(),
    clock: systemClock(),
  }
  const deliver = createMessageDelivery(ctx, { emit: (members) => void receivers.push(members) })
  const message = { id: 'a', senderId: 'ann', createdAt: new Date().toISOString() }
  for (const via of ['hint', 'kafka'] as const)
    deliver(via, { message, memberIds: ['ann', 'ben'], isHidden: true } as never)
  expect(receivers).toEqual([['ann']])
})
