import { BlobSource } from 'mediabunny'
import type { InputVideoTrack } from 'mediabunny'
import { canCopy, copyPackets, openTracks } from './copy-packets.ts'
import { MediaRefusedError } from './media-refused-error.ts'
import type { RefusalReason } from './media-refused-error.ts'
import { PagedBytes } from './paged-bytes.ts'
import { maxSide } from './picture-limits.ts'
import { takePoster } from './take-poster.ts'
import type { PreparedMedia } from './prepared-media.ts'

/**
 * Makes a video fit to be sent: picture and sound as they are coded, and nothing else of the file. One that this browser
 * cannot decode has no still. Rejects with a `MediaRefusedError`.
 */
export async function prepareVideo(file: Blob): Promise<PreparedMedia> {
  if (file.size === 0) throw new MediaRefusedError('empty')
  const tracks = await orRefuse('not_a_video', openTracks(new BlobSource(file)))
  if (!tracks?.video || !(await canCopy(tracks))) throw new MediaRefusedError('not_a_video')
  const { w, h } = await orRefuse('damaged_video', shownSize(tracks.video))
  if (w > maxSide || h > maxSide) throw new MediaRefusedError('video_too_large')

  const bytes = new PagedBytes()
  const write = bytes.write.bind(bytes)
  const { seconds } = await orRefuse('damaged_video', copyPackets(tracks, { write }))
  const poster = await takePoster(file)
  return {
    messageType: 'video',
    file: bytes,
    thumb: poster && poster.thumb,
    info: { w, h, ms: Math.round(seconds * 1000), ...(poster && { hash: poster.hash }) },
  }
}

async function shownSize(video: InputVideoTrack): Promise<{ w: number; h: number }> {
  const [w, h] = await Promise.all([video.getDisplayWidth(), video.getDisplayHeight()])
  return { w: Math.round(w), h: Math.round(h) }
}

const orRefuse = <T>(reason: RefusalReason, promise: Promise<T>): Promise<T> =>
  promise.catch(() => {
    throw new MediaRefusedError(reason)
  })
