import { offerCrypto } from '../../../test/offer-crypto.ts'
import { gif, png } from '../../../test/picture-fixtures.ts'
import { storeOf } from '../../../test/store-of.ts'
import type { MediaInfo } from '../sealed/media-info.ts'
import { openPicture, openThumb } from './open-picture.ts'
import { sealMedia } from './seal-media.ts'

const url = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
const { signal } = new AbortController()
const picture = png(40, 30)
const thumb = gif(1)
offerCrypto()
let stored: Uint8Array<ArrayBuffer>
let ranges: string[]
beforeEach(() => {
  ;({ ranges } = storeOf(() => stored))
})

async function seal(bytes: Uint8Array<ArrayBuffer>): Promise<MediaInfo> {
  const { file, media } = await sealMedia({
    messageType: 'image',
    file: new Blob([bytes]),
    thumb: new Blob([thumb]),
    info: { w: 40, h: 30 },
  })
  stored = new Uint8Array(await file.arrayBuffer())
  return media
}
const typeOf = (blob: Blob | null) => blob?.type
const open = async (media?: MediaInfo) => openPicture({ mediaUrl: url, media }, signal)

it('a sealed picture opens to its bytes, and its thumbnail is fetched by range', async () => {
  const media = await seal(picture)
  expect(Buffer.from(await (await open(media)).arrayBuffer())).toEqual(Buffer.from(picture))
  const small = await openThumb({ mediaUrl: url, media }, signal)
  expect(typeOf(small)).toBe('image/gif')
  expect(ranges.at(-1)).toBe(`bytes=0-${16 + thumb.length + 16 - 1}`)
})

it.each<[string, (media: MediaInfo) => MediaInfo | void]>([
  ['a bit changed', () => void (stored[stored.length - 20] = (stored[stored.length - 20] as number) ^ 1)],
  ['its end cut off', () => void (stored = stored.subarray(0, stored.length - 1))],
  ['another key', (media) => ({ ...media, key: 'A'.repeat(43) })],
  ['a forged size', (media) => ({ ...media, size: media.size - 1 })],
  ['a forged size of its thumbnail', (media) => ({ ...media, thumb: media.thumb - 1 })],
])('a sealed picture with %s is refused as damaged', async (_what, change) => {
  const media = await seal(picture)
  await expect(open(change(media) ?? media)).rejects.toMatchObject({
    name: 'Error',
    reason: expect.any(String),
  })
})

it.each<[string, Uint8Array<ArrayBuffer>]>([
  ['an HTML page', new TextEncoder().encode('<html><script>alert(1)</script></html>')],
  ['an SVG drawing', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a picture that claims 900 megapixels', png(30_000, 30_000)],
  ['an animation of 501 frames', gif(501)],
  ['bytes of no known type', new Uint8Array(200)],
])('%s becomes no picture, sealed or in the open', async (_what, bytes) => {
  await expect(open(await seal(bytes))).rejects.toThrow('This file can’t be shown')
  stored = bytes
  await expect(open()).rejects.toThrow('This file can’t be shown')
})

it('the first bytes of an unsealed file decide whether the rest is fetched', async () => {
  stored = new Uint8Array(100_000)
  await expect(open()).rejects.toMatchObject({ size: 100_000 })
  expect(ranges).toEqual(['bytes=0-65535'])
  stored = new Uint8Array(100_000)
  stored.set(picture)
  expect(typeOf(await open())).toBe('image/png')
})

it('an unsealed file that is larger than a picture can be is not fetched', async () => {
  const head = new Uint8Array(65_536)
  head.set(picture)
  globalThis.fetch = () =>
    Promise.resolve(
      new Response(head, { status: 206, headers: { 'content-range': 'bytes 0-65535/10485761' } }),
    )
  await expect(open()).rejects.toMatchObject({ size: 10_485_761 })
})
