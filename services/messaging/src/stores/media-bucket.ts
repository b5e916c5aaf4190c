import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ByteRange } from '../domain/byte-range.ts'
import { createPace } from '../infrastructure/pace.ts'

/** For an answer to begin, ms. Two tries take less than the gateway waits for a read, and for a broken upload to be removed. */
const readTimeoutMs = 4000
const removeTimeoutMs = 2000
/**
 * What all reads of one process share. The buffers between the store and a slow reader take megabytes for each reader at first,
 * and texts must find time in between, so reads of whole films are slower. Our own client reads films by ranges.
 */
const readBytesPerSecond = 40_000_000
const longReadBytesPerSecond = 5_000_000
/** More than a picture may have. */
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
    /** Resolves once all bytes are stored. After an abort nothing is. */
    async write(Key: string, Body: Readable, ContentLength: number, abortSignal: AbortSignal): Promise<void> {
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength }), { abortSignal })
    },
    /** Null when there is no such object. */
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
 * Reads on where the connection to the store ended: it is closed after some seconds in which a slow reader took nothing. Fails
 * when a new connection gives nothing either.
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
  // A generator that waits for its next chunk does not notice.
  stream.once('close', () => part.destroy())
  return stream
}
