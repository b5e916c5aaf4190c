import { render, screen } from '@testing-library/react'
import { MessageBubble } from './MessageBubble.tsx'

it('a message bubble takes the text direction from its content', () => {
  const message = {
    id: 'm1',
    conversationId: 'c1',
    senderId: 'u1',
    clientMessageId: 'k1',
    seq: 1,
    content: 'שלום, how are you?',
    mediaUrl: null,
    isRead: false,
    messageType: 'text' as const,
    createdAt: '2026-11-22T21:00:00.000Z',
  }
  render(<MessageBubble message={message} isOwn isFirst isLast />)
  expect(screen.getByText(message.content).dir).toBe('auto')
})
