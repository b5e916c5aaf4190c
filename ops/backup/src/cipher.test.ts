import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { decrypting, encrypting, keyIdOf } from './cipher.ts'

const key = randomBytes(32)
const chunk = 64 * 1024

async function through(
  stream: ReturnType<typeof encrypting>,
  source: Buffer,
  pieces = 50_000,
): Promise<Buffer> {
  const parts = Array.from({ length: Math.ceil(source.length / pieces) }, (_, index) =>
    source.subarray(index * pieces, (index + 1) * pieces),
  )
  const out: Buffer[] = []
  await pipeline(
    Readable.from(parts, { objectMode: false }),
    stream,
    async (result: AsyncIterable<Buffer>) => {
      for await (const piece of result) out.push(piece)
    },
  )
  return Buffer.concat(out)
}

const sealed = (plain: Buffer) => through(encrypting(key, 'a'), plain)
const opened = (bytes: Buffer, name = 'a', with_ = key) => through(decrypting(with_, name), bytes)

it.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 200_000])(
  'decrypts %i bytes to the same bytes',
  async (size) => {
    const plain = randomBytes(size)
    expect((await opened(await sealed(plain))).equals(plain)).toBe(true)
  },
)

it('writes a salt, then chunks of 64 kB with a tag each, the last one not empty', async () => {
  expect(await sealed(randomBytes(chunk))).toHaveLength(16 + chunk + 16)
  expect(await sealed(randomBytes(chunk + 1))).toHaveLength(16 + chunk + 16 + 1 + 16)
})

it.each([1, 10, 16, 17])('decrypts a file that arrives in pieces of %i bytes', async (pieces) => {
  const plain = randomBytes(100)
  expect((await through(decrypting(key, 'a'), await sealed(plain), pieces)).equals(plain)).toBe(true)
})

it('refuses a flipped bit in the salt, in a chunk and in a tag', async () => {
  const bytes = await sealed(randomBytes(100_000))
  for (const place of [0, 15, 16, 40_000, 16 + chunk, 16 + chunk + 15, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place)
    const number = place < 16 + chunk + 16 ? 1 : 2
    await expect(opened(changed)).rejects.toThrow(`a was changed or cut short (chunk ${number})`)
  }
})

it('refuses a truncated file, also at the end of a chunk, and chunks in another order', async () => {
  const bytes = await sealed(randomBytes(2 * chunk + 10))
  const first = bytes.subarray(16, 16 + chunk + 16)
  const second = bytes.subarray(16 + chunk + 16, 16 + 2 * (chunk + 16))
  const rest = bytes.subarray(16 + 2 * (chunk + 16))
  await expect(opened(bytes.subarray(0, bytes.length - rest.length))).rejects.toThrow(/cut short/)
  await expect(opened(bytes.subarray(0, 10))).rejects.toThrow(/cut short/)
  const swapped = Buffer.concat([bytes.subarray(0, 16), second, first, rest])
  await expect(opened(swapped)).rejects.toThrow(/was changed/)
})

it('refuses another key, and a file under the name of another', async () => {
  const bytes = await sealed(Buffer.from('of a'))
  await expect(opened(bytes, 'b')).rejects.toThrow(/b was changed/)
  await expect(opened(bytes, 'a', randomBytes(32))).rejects.toThrow(/a was changed/)
})

it('encrypts equal content differently each time, and reveals neither plain text nor key', async () => {
  const plain = Buffer.from('a sentence that is easy to find')
  const [one, two] = await Promise.all([sealed(plain), sealed(plain)])
  expect(one.equals(two)).toBe(false)
  expect(one.includes(plain.subarray(0, 10))).toBe(false)
  expect(key.toString('hex')).not.toContain(keyIdOf(key))
})
