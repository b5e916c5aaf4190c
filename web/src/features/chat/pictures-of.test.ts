import { messageAt } from '../../../test/fake-messaging.tsx'
import { picturesOf } from './pictures-of.ts'

const mediaUrl = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
const picture = { messageType: 'image', mediaUrl } as const
const info = { key: 'k'.repeat(43), size: 100, thumb: 0, w: 4, h: 3 }
const people = { userId: 'me', name: 'ben' }
const sealed = (seq: number, media: unknown, from = 1) => ({
  ...messageAt(seq, { ...picture, content: 'sealed', sealed: { v: 1, from, to: 1 } }),
  look: { state: 'open' as const, body: { t: 'The cat', media, at: null, seen: null } },
})

it('returns the pictures of a conversation with sender, caption and time, oldest first', () => {
  const found = picturesOf(
    [
      messageAt(1),
      messageAt(2, { ...picture, content: ' The dog ' }),
      messageAt(3, { ...picture, messageType: 'video' }),
      messageAt(4, { ...picture, senderId: 'me', content: '' }),
    ],
    people,
  )
  expect(found.map(({ id, sender, caption }) => [id, sender, caption].join())).toEqual([
    'm2,ben,The dog',
    'm4,You,',
  ])
  expect(found[0]?.sentAtMs).toBe(Date.parse(messageAt(2).createdAt))
})

it('leaves out what the chat does not show as a picture', () => {
  const closed = { ...sealed(1, info), look: { state: 'closed' as const, why: 'damaged' as const } }
  const messages = [closed, sealed(2, { ...info, size: -1 }), sealed(3, info, 2), sealed(4, info, 1)]
  // The last one is sealed with an older key than the one before, so someone else may have written it.
  expect(picturesOf(messages as never, people).map(({ id }) => id)).toEqual(['m3'])
})

it('leaves out a picture that was deleted', () => {
  expect(picturesOf([messageAt(1, { messageType: 'image', content: '' })], people)).toEqual([])
})
