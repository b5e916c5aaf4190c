import { toMediaInfo } from './media-info.ts'

const info = { key: 'A'.repeat(43), size: 1000, thumb: 300, w: 400, h: 300, hash: 'abcd' }

it('the description of media is accepted without its unknown fields', () => {
  expect(toMediaInfo({ ...info, moves: true, other: 1 }, 'image')).toEqual({ ...info, moves: true })
})

it.each<[string, object | null]>([
  ['nothing', null],
  ['a key of another length', { key: 'A'.repeat(42) }],
  ['a key that is no base64url', { key: `${'A'.repeat(42)}/` }],
  ['no size', { size: 0 }],
  ['a size beyond that of an object', { size: 60_000_001 }],
  ['a size with a fraction', { size: 1.5 }],
  ['a thumbnail beyond 64 kB', { thumb: 65_537 }],
  ['no width', { w: 0 }],
  ['more than 40 megapixels', { w: 8000, h: 5001 }],
])('%s is refused', (_what, change) => {
  expect(toMediaInfo(change && { ...info, ...change }, 'image')).toBeUndefined()
})

it.each([44, 5, 41])('a hash of %s characters, which no ThumbHash has, is left out', (length) => {
  expect(toMediaInfo({ ...info, hash: 'a'.repeat(length) }, 'image')).not.toHaveProperty('hash')
})

it('a video has a length and at most 4096 pixels a side', () => {
  const video = { ...info, ms: 60_000 }
  expect(toMediaInfo(video, 'video')).toEqual(video)
  for (const change of [{ ms: undefined }, { ms: 86_400_001 }, { w: 4097 }])
    expect(toMediaInfo({ ...video, ...change }, 'video')).toBeUndefined()
})

it('a voice message has a length and 48 bars, and no size in pixels', () => {
  const { w: _, h: __, hash: ___, ...rest } = info
  const voice = { ...rest, thumb: 0, ms: 4000, bars: 'A'.repeat(64) }
  expect(toMediaInfo(voice, 'voice')).toEqual({ ...voice, w: 0, h: 0 })
  expect(toMediaInfo({ ...voice, bars: 'A' }, 'voice')).not.toHaveProperty('bars')
})
