import type { Draft } from '@sumlock/sync/ports'
import { fileVanishMs, withTimer } from './with-timer.ts'

const set = { id: 't', by: 'ann', at: '2026-11-20T00:00:00.000Z', afterSeq: 0 }
const half = { timer: { ...set, vanishMs: 30_000 } } as const
const text: Draft = { messageType: 'text', content: 'one' }
const file: Draft = { messageType: 'image', mediaUrl: '/api/objects/x' }

it('a message takes the timer of its conversation, a file at least five minutes', () => {
  expect(withTimer(text, half)).toEqual({ ...text, vanishMs: 30_000 })
  expect(withTimer(file, half)).toEqual({ ...file, vanishMs: 300_000 })
  const day = { timer: { ...set, vanishMs: 86_400_000 } } as const
  expect([withTimer(text, day), withTimer(file, day)].map(({ vanishMs }) => vanishMs)).toEqual([
    86_400_000, 86_400_000,
  ])
})

it.each([undefined, {}, { timer: { ...set, vanishMs: null } }])(
  'a message has no time without a timer (%j)',
  (conversation) => {
    expect(withTimer(text, conversation)).toBe(text)
    expect(fileVanishMs(conversation)).toBeUndefined()
  },
)

it('a file keeps the time that it was sent with, also none', () => {
  expect(withTimer({ ...file, vanishMs: 3_600_000 }, half)).toMatchObject({ vanishMs: 3_600_000 })
  expect(withTimer({ ...file, vanishMs: undefined }, half).vanishMs).toBeUndefined()
})
