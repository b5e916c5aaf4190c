import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ByteRange } from '../domain/byte-range.ts'
import { createPace } from '../infrastructure/pace.ts'

/** The time in which an answer must begin, ms. Two tries are shorter than the gateway's wait for a read or the removal of a broken upload. */
const readTimeoutMs = 4000
const removeTimeoutMs = 2000
/**
 * The rates that all reads of one process share. The buffers for a slow reader take megabytes at first, and texts need time in
 * between, so reads of whole films are slower. Our own client reads films by ranges.
 */
const readBytesPerSecond = 40_000_000
const longReadBytesPerSecond = 5_000_000
/** A size that no picture may have. */
const longReadBytes = 12_000_000

/** The objects of media, under random keys. No object ever changes. */
export function createMediaBucket(client: S3Client, Bucket: string) {
  const pace = createPace(readBytesPerSecond)
  const longPace = createPace(longReadBytesPerSecond)
  const open = async (Key: string, [first, last]: ByteRange): Promise<Readable> => {
    const command = new GetObjectCommand({ Bucket, Key, Range: `bytes=${first}-${last}` })
    return (await client.send(command, { requestTimeout: readTimeoutMs })).Body as Readable
  }
  return {
    /** Resolves once all bytes are stored. After an abort nothing is stored. */
    async write(Key: string, Body: Readable, ContentLength: number, abortSignal: AbortSignal): Promise<void> {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength }), { abortSignal })
    },
    /** Resolves with null when there is no such object. */
    async read(Key: string, range: ByteRange): Promise<Readable | null> {
      try {
        const isLong = range[1] - range[0] > longReadBytes
        const begun = await open(Key, range)
        return resuming(begun, range, { open: (rest) => open(Key, rest), pace: isLong ? longPace : pace })
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return null
        throw error
      }
    },
    async remove(keys: readonly string[]): Promise<void> {
      const requestTimeout = removeTimeoutMs
      await Promise.all(
        keys.map((Key) => client.send(new DeleteObjectCommand({ Bucket, Key }), { requestTimeout })),
      )
    },
  }
}

/**
 * Continues where the connection to the store ended, because the store closes it when a slow reader takes nothing for some
 * seconds. Fails when a new connection brings no byte either.
 */
function resuming(
  begun: Readable,
  [first, last]: ByteRange,
  { open, pace }: { open: (rest: ByteRange) => Promise<Readable>; pace: (bytes: number) => Promise<void> },
): Readable {
  let part = begun
  async function* bytes() {
    for (let next = first; next <= last;) {
      const from = next
      try {
        for await (const chunk of part as AsyncIterable<Buffer>) {
          next += chunk.length
          await pace(chunk.length)
          yield chunk
        }
      } catch (error) {
        if (next === from || stream.destroyed) throw error
      }
      if (next === from) throw new Error('the object ended early')
      if (next <= last) part = await open([next, last])
      if (stream.destroyed) part.destroy()
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false })
  // A generator that waits for its next chunk does not notice an abort.
  stream.once('close', () => part.destroy())
  return stream
}
