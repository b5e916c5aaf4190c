import type { Message } from '@sumlock/contracts/messaging-routes'
import { messageAt } from '../../../test/fake-messaging.tsx'
import { createOverview } from './overview-items.ts'

const mediaUrl = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
const info = { key: 'k'.repeat(43), size: 100, thumb: 0, w: 4, h: 3 }
const of = (seq: number, change: Partial<Message> = {}) =>
  messageAt(seq, { messageType: 'image', mediaUrl, content: '', ...change })
const sealed = (seq: number, media: unknown, from = 1) =>
  ({
    ...of(seq, { content: 'sealed', sealed: { v: 1, from, to: 1 } }),
    look: { state: 'open', body: { t: 'The cat', at: 0, media } },
  }) as Message
const itemsOf = (...messages: Message[]) => createOverview()(messages, { userId: 'me', name: 'ben' })

it('pictures, videos and voice messages of both are listed, newest first, with caption and sender', () => {
  const items = itemsOf(
    messageAt(1),
    of(2, { content: ' The dog ' }),
    of(3, { messageType: 'video', senderId: 'me' }),
    of(4, { messageType: 'voice' }),
    sealed(5, info),
  )
  expect(items.map(({ id, type, sender, caption }) => [id, type, sender, caption].join())).toEqual([
    'm5,image,ben,The cat',
    'm4,voice,ben,',
    'm3,video,You,',
    'm2,image,ben,The dog',
  ])
  expect(items[0]).toMatchObject({ media: info, refusal: null, atMs: Date.parse(of(5).createdAt) })
})

it('another message leaves the description of a picture the same object', () => {
  const overview = createOverview()
  const names = { userId: 'me', name: 'ben' }
  const picture = sealed(1, info)
  const [before] = overview([picture], names)
  const [after] = overview([picture, messageAt(2)], names)
  expect(after?.media).toBe(before?.media)
})

it('a caption does not change the direction of the names around it', () => {
  expect(itemsOf(of(1, { content: '\u202egod ehT\u2066' }))[0]?.caption).toBe('god ehT')
})

it('unsent, vanished and once-viewed media are left out', () => {
  const gone = { mediaUrl: null, content: '' }
  const once = { ...sealed(3, info), isOnce: true } as Message
  expect(itemsOf(of(1, { ...gone, isUnsent: true }), of(2, { ...gone, isVanished: true }), once)).toEqual([])
})

it('media that cannot be read are listed with the reason, and without their caption', () => {
  const closed = { ...sealed(1, info), look: { state: 'closed', why: 'waiting' } } as unknown as Message
  const items = itemsOf(closed, sealed(2, { ...info, size: -1 }), sealed(3, info, 2), sealed(4, info, 1))
  expect(items.map(({ refusal }) => refusal)).toEqual([
    'Sealed with a former key',
    null,
    'This file can’t be shown',
    'Waiting for ben’s key',
  ])
  expect(items[0]).toMatchObject({ media: undefined, caption: '' })
})
