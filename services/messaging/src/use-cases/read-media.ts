import { unavailable } from '@sumlock/service-kit/app-error'
import { ByteStream } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { byteRangeOf } from '../domain/byte-range.ts'
import { mediaNotFound } from '../domain/errors.ts'
import { shownMedia } from './shown-media.ts'
import type { MediaReader } from './shown-media.ts'

export interface ReadMediaInput extends MediaReader {
  range: string | undefined
}

/** Streams a file, or a range of it, for as long as the reader is shown its message. */
export async function readMedia(ctx: Context, { range, ...reader }: ReadMediaInput): Promise<ByteStream> {
  const [row] = await shownMedia(ctx, [reader])
  if (!row) throw mediaNotFound()
  const asked = byteRangeOf(range, row.bytes)
  const [first, last] = asked ?? [0, row.bytes - 1]
  const { mediaBucket } = ctx
  const bytes = await mediaBucket.read(row.storeKey, [first, last]).catch((error: unknown) => {
    throw unavailable('the media store', error)
  })
  if (!bytes) throw mediaNotFound()
  ctx.runningReads.set(bytes, reader)
  bytes.once('close', () => ctx.runningReads.delete(bytes))
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'accept-ranges': 'bytes',
    'content-length': String(last - first + 1),
  }
  if (!asked) return new ByteStream(200, headers, bytes)
  return new ByteStream(206, { ...headers, 'content-range': `bytes ${first}-${last}/${row.bytes}` }, bytes)
}

/** Ends the reads of files that their readers are no longer shown, or all reads when that cannot be checked. */
export async function breakOffHiddenReads(ctx: Context): Promise<void> {
  const running = [...ctx.runningReads]
  if (running.length === 0) return
  const shown = await shownMedia(
    ctx,
    running.map(([, reader]) => reader),
  ).catch(() => [])
  running.forEach(([bytes], index) => {
    if (!shown[index]) bytes.destroy()
  })
}
