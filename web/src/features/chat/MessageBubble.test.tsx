import { render, screen } from '../../../test/render.tsx'
import { messageAt } from '../../../test/fake-messaging.tsx'
import { png } from '../../../test/picture-fixtures.ts'
import { storeOf } from '../../../test/store-of.ts'
import { MessageBubble } from './MessageBubble.tsx'

it('a message bubble takes the text direction from its content', () => {
  const message = messageAt(1, { content: 'שלום, how are you?' })
  render(<MessageBubble message={message} text={message.content} isOwn isFirst isLast />)
  expect(screen.getByText(message.content).dir).toBe('auto')
})

it.each([
  ['text', null, () => screen.findByText('Hello')],
  [
    'image',
    '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3',
    () => screen.findByRole('button', { name: 'Open photo: Hello' }),
  ],
  [
    'video',
    '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3',
    () => screen.findByRole('button', { name: 'Play video: Hello' }),
  ],
  [
    'voice',
    '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3',
    () => screen.findByRole('group', { name: 'Voice message' }),
  ],
] as const)(
  'PROD-07 CHAT-09: a message of the type %s shows what it is',
  async (messageType, mediaUrl, shown) => {
    storeOf(() => png(4, 3))
    URL.createObjectURL = () => 'blob:picture'
    URL.revokeObjectURL = () => undefined
    const message = messageAt(1, { messageType, mediaUrl, content: 'Hello' })
    render(<MessageBubble message={message} text="Hello" isOwn isFirst isLast />)
    expect(await shown()).toBeTruthy()
  },
)

it('a message whose content was deleted says so, and not that it was sent or read', () => {
  render(<MessageBubble message={messageAt(1, { content: '' })} text="" isOwn isFirst isLast />)
  expect(screen.getByText('Deleted message')).toBeTruthy()
  expect(screen.queryByText(/sent|read/)).toBeNull()
})

it('a change that has no answer yet takes the place of the tick', () => {
  const message = { ...messageAt(1), isChanging: true as const }
  render(<MessageBubble message={message} text="ok" isOwn isFirst isLast />)
  expect(screen.getByText('sending the change…')).toBeTruthy()
  expect(screen.queryByText('sent')).toBeNull()
})

it('the time of a message of emoji alone stands at the foot of the large line', () => {
  const timeOf = (content: string) => {
    const { container } = render(<MessageBubble message={messageAt(1)} text={content} isOwn isFirst isLast />)
    return container.querySelector('time')?.parentElement?.className
  }
  expect(timeOf('😀')).toContain('mt-7')
  expect(timeOf('ok 😀')).not.toContain('mt-7')
})

it('a message that waited before it was stored shows the date of its writing', () => {
  const message = messageAt(1, { createdAt: '2026-11-27T12:00:00.000Z' })
  const writtenAtMs = Date.parse('2026-11-26T12:00:00.000Z')
  render(
    <MessageBubble message={message} text="late" writtenAtMs={writtenAtMs} isOwn={false} isFirst isLast />,
  )
  expect(screen.getByText(/^Written Thu, 26 Nov, .*12:00/)).toBeTruthy()
})
