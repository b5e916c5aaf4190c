import { Readable } from 'node:stream'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ByteRange } from '../domain/byte-range.ts'
import { createPace } from '../infrastructure/pace.ts'

/**
 * The store must begin its answer within this time in ms, so that two tries fit into the gateway's wait for a read or for
 * the removal of a broken upload.
 */
const readTimeoutMs = 4000
const removeTimeoutMs = 2000
/**
 * All reads of one process share these rates. Long reads get the lower one, because their buffers for a slow reader first
 * take megabytes, and texts need time in between. Our own client reads films by shorter ranges.
 */
const readBytesPerSecond = 40_000_000
const longReadBytesPerSecond = 5_000_000
/** A read of more than these bytes counts as long. No picture may be this large. */
const longReadBytes = 12_000_000

/** Objects of media have random keys and never change. */
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
    /** Resolves with null when the object does not exist. */
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
 * The store closes its connection when a slow reader takes nothing for some seconds. The stream then continues with a new
 * connection, and fails when a connection brings no byte.
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
      if (next === from) throw new Error('the media store ended an object early')
      if (next <= last) part = await open([next, last])
      if (stream.destroyed) part.destroy()
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false })
  // The read from the store must be ended here, because a generator that waits for its next chunk does not notice that the
  // stream was closed.
  stream.once('close', () => part.destroy())
  return stream
}
