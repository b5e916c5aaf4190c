import { systemClock } from '@sumlock/service-kit/clock'
import { handledByRealtime } from '@sumlock/testing/bounded-work'
import { createRealtimeMetrics } from '../metrics.ts'
import { eventHandlers } from './handlers.ts'

const people = Array.from({ length: 500 }, (_, index) => `person ${index}`)
const message = { id: 'm', senderId: 'ann', createdAt: new Date().toISOString() }
const data = { message, memberIds: ['ann', 'ben'], conversationId: 'c', userId: 'ann', userIds: people }

it.each(handledByRealtime)(
  '%s is one socket event of realtime, however many people it names',
  async (type) => {
    const told: (readonly string[])[] = []
    const handlers = eventHandlers(
      { metrics: createRealtimeMetrics(), clock: systemClock() },
      { emit: (userIds) => void told.push(userIds) },
    )
    const [handler, ...others] = handlers.filter(({ event }) => event.type === type)
    await handler?.handle({ data } as never)
    expect(others).toEqual([])
    expect(told).toHaveLength(1)
  },
)
