import { systemClock } from '@sumlock/service-kit/clock'
import { createRealtimeMetrics } from '../metrics.ts'
import { onMessageSent } from './message-sent.ts'

const message = { id: 'a', senderId: 'ann', createdAt: new Date().toISOString() }

it.each([
  ['both members of a message', {}, ['ann', 'ben']],
  ['only the sender of a message that its recipient blocked', { isHidden: true }, ['ann']],
])('tells %s', async (_whom, more, receivers) => {
  const told: unknown[] = []
  const ctx = { metrics: createRealtimeMetrics(), clock: systemClock() }
  const { handle } = onMessageSent(ctx, { emit: (userIds, event) => void told.push([userIds, event]) })
  await handle({ data: { message, memberIds: ['ann', 'ben'], ...more } } as never)
  expect(told).toEqual([[receivers, { type: 'new_message', data: message }]])
})
