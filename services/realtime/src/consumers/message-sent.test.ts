import { systemClock } from '@sumlock/service-kit/clock'
import { createRealtimeMetrics } from '../metrics.ts'
import { onMessageSent } from './message-sent.ts'

const message = { id: 'a', conversationId: 'c', senderId: 'ann', createdAt: new Date().toISOString() }

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

it('tells the sender of a message that opens once nothing of its content', async () => {
  const told: unknown[] = []
  const ctx = { metrics: createRealtimeMetrics(), clock: systemClock() }
  const { handle } = onMessageSent(ctx, { emit: (userIds, event) => void told.push([userIds, event.data]) })
  const once = { ...message, isOnce: true, content: 'secret', mediaUrl: '/file', sealed: { v: 1 } }
  await handle({ data: { message: once, memberIds: ['ann', 'ben'] } } as never)
  expect(told).toEqual([
    [['ann'], { ...message, isOnce: true, content: '', mediaUrl: null }],
    [['ben'], once],
  ])
})

it('tells nobody the content of a message that has vanished for its sender, and has its recipient fetch it', async () => {
  const told: unknown[] = []
  const ctx = { metrics: createRealtimeMetrics(), clock: systemClock() }
  const { handle } = onMessageSent(ctx, { emit: (userIds, event) => void told.push([userIds, event]) })
  const createdAt = new Date(Date.now() - 30_000).toISOString()
  const late = {
    ...{
      ...message,
      createdAt,
      content: 'secret',
      messageType: 'image',
      mediaUrl: '/file',
      sealed: { v: 1 },
    },
    ...{ vanishMs: 30_000, edit: { id: 'e' }, reactions: [{ by: 'ben', content: '👍' }] },
  }
  await handle({ data: { message: late, memberIds: ['ann', 'ben'] } } as never)
  const emptied = { content: '', messageType: 'text', mediaUrl: null, isVanished: true }
  expect(told).toEqual([
    [['ann'], { type: 'new_message', data: { ...message, createdAt, ...emptied } }],
    [['ben'], { type: 'conversation_changed', data: { conversationId: 'c' } }],
  ])
})
