import { cleanup, render, screen } from '../../../test/render.tsx'
import type { OutboxItem } from '@sumlock/sync/ports'
import { PendingBubble } from './PendingBubble.tsx'

afterEach(cleanup)

const show = (retryAfterMs: number) => {
  const failure = { status: 429, code: 'too_many_requests', message: 'Please try again in 2 hours.' }
  const item: OutboxItem = {
    message: { messageType: 'text', content: 'Hello', conversationId: 'c', clientMessageId: 'one' },
    createdAtMs: 0,
    status: 'waiting',
    failure: { ...failure, resetsAt: null, retryAfterMs },
  }
  render(<PendingBubble item={item} retryLabel="Try again" onRetry={() => {}} onDiscard={() => {}} />)
}

it('says why a message is not sent that has to wait a minute or longer, and offers no retry', () => {
  show(60_000)
  expect(screen.getByRole('status').textContent).toBe('Not sent yet. Please try again in 2 hours.')
  expect(screen.queryByRole('button')).toBeNull()
})

it('says nothing about a message that waits for some seconds', () => {
  show(10_000)
  expect(screen.queryByRole('status')).toBeNull()
})
