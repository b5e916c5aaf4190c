import { chunkSize } from '@sumlock/sealing/file'
import { offerCrypto } from '../../../../test/offer-crypto.ts'
import { storeOf } from '../../../../test/store-of.ts'
import { PagedBytes } from '../prepare/paged-bytes.ts'
import { sealMedia } from '../seal-media.ts'
import { openFilm } from './film-source.ts'

const mediaUrl = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
const { signal } = new AbortController()
offerCrypto()

/** A file that begins like an MP4; every byte encodes its position. */
const film = (size: number) => {
  const bytes = Uint8Array.from({ length: size }, (_each, at) => (at * 31 + (at >> 16)) % 251)
  bytes.set(new TextEncoder().encode('\0\0\0\x10ftypisom\0\0\0\0'))
  return bytes
}

async function sealed(plain: Uint8Array<ArrayBuffer>) {
  const file = new PagedBytes()
  file.write(plain.subarray(100), 100)
  file.write(plain.subarray(0, 100), 0)
  const thumb = new Blob(['still'])
  const { file: object, media } = await sealMedia({
    ...{ messageType: 'video', file, thumb },
    info: { w: 4, h: 3, ms: 1 },
  })
  return { media, object: new Uint8Array(await object.arrayBuffer()) }
}

it('any part of a sealed film opens to its bytes, and each chunk is fetched once', async () => {
  const plain = film(3 * chunkSize + 5)
  const { media, object } = await sealed(plain)
  const store = storeOf(() => object)
  const source = await openFilm({ mediaUrl, media }, signal)
  expect(source.size).toBe(plain.length)
  for (const [from, to] of [
    [0, 10],
    [chunkSize - 3, chunkSize + 3],
    [5, 2 * chunkSize + 1],
    [3 * chunkSize, plain.length],
  ] as const)
    expect(Buffer.compare(await source.read(from, to), plain.subarray(from, to))).toBe(0)
  // The header and four chunks were fetched.
  expect(new Set(store.ranges).size).toBe(5)
  expect(store.ranges).toHaveLength(5)
})

it.each<[string, (object: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>]>([
  ['a changed bit', (object) => object.with(object.length - 20, (object.at(-20) as number) ^ 1)],
  ['its end cut off', (object) => object.subarray(0, object.length - 1)],
  [
    'two chunks that changed places',
    (object) => {
      const [first, sealedChunk] = [object.length - 2 * (chunkSize + 16), chunkSize + 16]
      const changed = object.slice()
      changed.copyWithin(first, first + sealedChunk, first + 2 * sealedChunk)
      changed.set(object.subarray(first, first + sealedChunk), first + sealedChunk)
      return changed
    },
  ],
])('a film with %s is refused where that is read', async (_what, change) => {
  const { media, object } = await sealed(film(2 * chunkSize))
  storeOf(() => change(object))
  await expect(
    (async () => {
      const source = await openFilm({ mediaUrl, media }, signal)
      await source.read(0, source.size)
    })(),
  ).rejects.toThrow('damaged')
})

it('a part whose connection is cut is fetched again', async () => {
  const plain = film(chunkSize)
  const store = storeOf(() => plain)
  const answer = globalThis.fetch
  let cuts = 2
  globalThis.fetch = (...call) => {
    cuts -= 1
    return cuts >= 0 ? Promise.reject(new TypeError('cut')) : answer(...call)
  }
  const source = await openFilm({ mediaUrl, media: undefined }, signal)
  expect(Buffer.compare(await source.read(0, 9), plain.subarray(0, 9))).toBe(0)
  expect(store.ranges).toHaveLength(2)
})

it('of an unsealed file that is not a film, only the first bytes are fetched', async () => {
  const store = storeOf(() => new TextEncoder().encode('<html>'.padEnd(200_000)))
  await expect(openFilm({ mediaUrl, media: undefined }, signal)).rejects.toMatchObject({
    name: 'NotShownError',
    size: 200_000,
  })
  expect(store.ranges).toEqual(['bytes=0-65535'])
})

it('an unsealed film is read by its ranges', async () => {
  const plain = film(chunkSize + 100)
  storeOf(() => plain)
  const source = await openFilm({ mediaUrl, media: undefined }, signal)
  expect(Buffer.compare(await source.read(50, chunkSize + 60), plain.subarray(50, chunkSize + 60))).toBe(0)
})
