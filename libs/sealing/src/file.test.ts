import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { concat, fields } from './bytes.ts'
import type { Bytes } from './bytes.ts'
import { DamagedFileError, chunkSize, fileKey, headerLength, openFile, sealFile, sealedSize } from './file.ts'

const tag = 16
const sealedChunk = chunkSize + tag
const mediaKey = new Uint8Array(randomBytes(32))
const key = await fileKey(mediaKey, 'file')
const size = 3 * chunkSize + 1000
const plain = new Uint8Array(randomBytes(size))

async function sealWhole(bytes: Bytes, by = key): Promise<Bytes> {
  const parts: Bytes[] = []
  for await (const part of sealFile(by, new Blob([bytes]))) parts.push(part)
  return concat(...parts)
}
const sealed = await sealWhole(plain)
const header = sealed.subarray(0, headerLength)
const chunk = (index: number) =>
  sealed.subarray(headerLength + index * sealedChunk, headerLength + (index + 1) * sealedChunk)
const changedAt = (at: number) => {
  const copy = sealed.slice()
  copy[at] = (copy[at] as number) ^ 1
  return copy
}

it.each([0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 2 * chunkSize])(
  'a file of %d bytes opens to the same bytes, in the size that was announced',
  async (length) => {
    const original = plain.subarray(0, length)
    const whole = await sealWhole(original)
    expect(whole.length).toBe(sealedSize(length))
    expect(Buffer.compare(await openFile(key, whole, length), original)).toBe(0)
  },
)

it('a file that Node sealed from the description opens', async () => {
  const secret = Buffer.from(hkdfSync('sha256', mediaKey, Buffer.alloc(0), fields('file/v1'), 32))
  const head = Buffer.concat([Buffer.from('SL1\x14', 'latin1'), randomBytes(7), Buffer.alloc(5)])
  const chunks = [0, 1, 2, 3].map((index) => {
    const place = Buffer.from([0, 0, 0, index, index === 3 ? 1 : 0])
    const cipher = createCipheriv('aes-256-gcm', secret, Buffer.concat([head.subarray(4, 11), place]))
    cipher.setAAD(head)
    const part = plain.subarray(index * chunkSize, (index + 1) * chunkSize)
    return Buffer.concat([cipher.update(part), cipher.final(), cipher.getAuthTag()])
  })
  expect(Buffer.compare(await openFile(key, concat(head, ...chunks), size), plain)).toBe(0)
})

it('no two sealings of one file are alike', async () => {
  expect(Buffer.compare(await sealWhole(plain), sealed)).not.toBe(0)
})

const other = await sealWhole(plain)
const lastFull = 3 * chunkSize
const attacks: [string, DamagedFileError['reason'], () => Bytes, number?][] = [
  ['without its last chunk', 'size', () => sealed.subarray(0, headerLength + 3 * sealedChunk)],
  ['cut inside a chunk', 'size', () => sealed.subarray(0, sealed.length - 5)],
  [
    'cut between chunks, with a forged size',
    'chunk',
    () => sealed.subarray(0, headerLength + 3 * sealedChunk),
    lastFull,
  ],
  ['with two chunks swapped', 'chunk', () => concat(header, chunk(1), chunk(0), chunk(2), chunk(3))],
  [
    'with a chunk doubled, with a forged size',
    'chunk',
    () => concat(header, chunk(0), chunk(0), chunk(1), chunk(2), chunk(3)),
    size + chunkSize,
  ],
  [
    'with a chunk in the place of another',
    'chunk',
    () => concat(header, chunk(0), chunk(0), chunk(2), chunk(3)),
  ],
  [
    'with a chunk dropped, with a forged size',
    'chunk',
    () => concat(header, chunk(0), chunk(2), chunk(3)),
    size - chunkSize,
  ],
  ['with bytes appended', 'size', () => concat(sealed, new Uint8Array(1))],
  ['with bytes appended, with a forged size', 'chunk', () => concat(sealed, new Uint8Array(1)), size + 1],
  ['with a bit of a chunk changed', 'chunk', () => changedAt(headerLength + 100)],
  ['with a bit of a tag changed', 'chunk', () => changedAt(sealed.length - 1)],
  ['with a bit of the header’s random bytes changed', 'chunk', () => changedAt(5)],
  ['with another chunk size in its header', 'header', () => changedAt(3)],
  ['with a bit of the header’s zeros changed', 'header', () => changedAt(15)],
  [
    'with a chunk of another sealing under the same key',
    'chunk',
    () => concat(header, chunk(0), other.subarray(headerLength + sealedChunk)),
  ],
  ['that is empty', 'size', () => new Uint8Array()],
  ['that is a header only', 'size', () => header],
  ['that is a header only, as an empty file', 'size', () => header, 0],
  ['with a size below the true one', 'size', () => sealed, size - 1],
]
it.each(attacks)('refuses a file %s (%s)', async (_attack, reason, change, declared = size) => {
  await expect(openFile(key, change(), declared)).rejects.toEqual(new DamagedFileError(reason))
})

it('refuses a file under another key', async () => {
  const wrong = await fileKey(new Uint8Array(32), 'file')
  await expect(openFile(wrong, sealed, size)).rejects.toEqual(new DamagedFileError('chunk'))
})
