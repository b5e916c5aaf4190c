import { render, screen } from '@testing-library/react'
import { messageAt } from '../../../test/fake-messaging.tsx'
import { MessageBubble } from './MessageBubble.tsx'

it('a message bubble takes the text direction from its content', () => {
  const message = messageAt(1, { content: 'שלום, how are you?' })
  render(<MessageBubble message={message} text={message.content} isOwn isFirst isLast />)
  expect(screen.getByText(message.content).dir).toBe('auto')
})

it('a message whose content was deleted says so', () => {
  render(<MessageBubble message={messageAt(1, { content: '' })} text="" isOwn={false} isFirst isLast />)
  expect(screen.getByText('Deleted message')).toBeTruthy()
})
