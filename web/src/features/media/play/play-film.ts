import { CustomSource } from 'mediabunny'
import type { InputVideoTrack } from 'mediabunny'
import { NotPlayableError, noPicture } from '../media-failure.ts'
import { NotShownError } from '../open-picture.ts'
import type { MediaSourceOf } from '../open-picture.ts'
import { copyPackets } from '../prepare/copy-packets.ts'
import { planCopy } from '../prepare/copy-plan.ts'
import { openTracks } from '../prepare/film-tracks.ts'
import type { Tracks } from '../prepare/film-tracks.ts'
import { maxSide } from '../prepare/picture-limits.ts'
import { recognizeMedia } from '../prepare/recognize-media.ts'
import { firstShown } from './first-shown.ts'
import { FilmBuffer } from './film-buffer.ts'
import { openFilm } from './film-source.ts'
import type { FilmSource } from './film-source.ts'

/** A larger film is not played from a blob, because some browsers would write the blob to the disk unencrypted. */
const maxBlobBytes = 8 * 2 ** 20

export interface PlayOptions {
  signal: AbortSignal
  /** Called when the film plays without its sound, which this browser cannot play. */
  onSilent: () => void
}

/**
 * Plays a stored film in an element. Packets are fetched as they are needed, after a jump from the new position. Feeds
 * the element until `signal` aborts. Rejects with a `NotPlayableError`, or as `openFilm` does, if the film cannot start
 * or continue.
 */
export async function playFilm(
  video: HTMLVideoElement,
  source: MediaSourceOf,
  { signal, onSilent }: PlayOptions,
): Promise<void> {
  const film = await openFilm(source, signal)
  const tracks = await openTracks(
    new CustomSource({ getSize: () => film.size, read: film.read, handleUnhandledError: () => undefined }),
    film,
  )
  if (!tracks?.video || (await isTooLarge(tracks.video))) throw new NotShownError(film.size)
  const seconds = await secondsOf(tracks, source)
  const pictures = { ...tracks, audio: null }
  const [type, pictureType] = await Promise.all([typeOf(tracks), typeOf(pictures)])
  const [Source, PictureSource] = [sourceFor(type), sourceFor(pictureType)]
  if (Source) return playSource(video, { tracks, type, seconds, Source }, signal)
  if (video.canPlayType(pictureType) === '') throw noPicture()
  if (video.canPlayType(type) === '' && PictureSource) {
    onSilent()
    return playSource(video, { tracks: pictures, type: pictureType, seconds, Source: PictureSource }, signal)
  }
  return playBlob(video, film, signal)
}

/** Checks the size that the film itself states, because the sender of the message may state a false one. */
async function isTooLarge(video: InputVideoTrack): Promise<boolean> {
  return Math.max(await video.getCodedWidth(), await video.getCodedHeight()) > maxSide
}

/** Returns a type such as `video/mp4; codecs="vp09.00.10.08, opus"`. */
async function typeOf({ video, audio, container }: Tracks): Promise<string> {
  const codecs = await Promise.all([video, audio].map(async (track) => track?.getCodecParameterString()))
  return `video/${container}; codecs="${codecs.filter(Boolean).join(', ')}"`
}

type SourceClass = typeof MediaSource

function sourceFor(type: string): SourceClass | undefined {
  const { ManagedMediaSource } = globalThis as { ManagedMediaSource?: SourceClass }
  return [globalThis.MediaSource, ManagedMediaSource].find((Source) => Source?.isTypeSupported(type))
}

async function secondsOf({ video, audio }: Tracks, { media }: MediaSourceOf): Promise<number> {
  if (media?.ms) return media.ms / 1000
  const ends = await Promise.all([video, audio].map(async (track) => track?.getDurationFromMetadata()))
  return Math.max(0, ...ends.map((end) => end ?? 0)) || (await video?.computeDuration()) || 0
}

async function playBlob(video: HTMLVideoElement, film: FilmSource, signal: AbortSignal): Promise<void> {
  if (film.size > maxBlobBytes) throw new NotPlayableError('This phone can’t play videos this long here')
  const bytes = await film.read(0, film.size)
  signal.throwIfAborted()
  const { mime } = recognizeMedia(bytes, 'video') ?? {}
  const url = URL.createObjectURL(new Blob([bytes], mime && { type: mime }))
  signal.addEventListener('abort', () => URL.revokeObjectURL(url))
  video.src = url
}

interface Playable {
  tracks: Tracks
  type: string
  seconds: number
  Source: SourceClass
}

async function playSource(
  video: HTMLVideoElement,
  { tracks, type, seconds, Source }: Playable,
  signal: AbortSignal,
): Promise<void> {
  const media = new Source()
  const url = URL.createObjectURL(media)
  // `ManagedMediaSource` requires this, and private media must not be shown on another screen.
  video.disableRemotePlayback = true
  video.src = url
  await new Promise((resolve, reject) => {
    media.addEventListener('sourceopen', resolve, { once: true })
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  }).finally(() => URL.revokeObjectURL(url))
  media.duration = seconds
  const buffer = new FilmBuffer(video, media, type, signal)
  const plan = await planCopy(tracks)
  const shownFromS = await firstShown(tracks, plan)
  if (shownFromS > 0) video.currentTime = shownFromS

  for (let fromS: number | null = 0; fromS !== null;) {
    const jump = new AbortController()
    const stop = AbortSignal.any([signal, jump.signal])
    const target = buffer.nextJump(stop)
    const copy: Promise<void> = copyPackets(tracks, {
      write: (data) => buffer.append(Uint8Array.from(data), stop),
      ...{ fromS, plan },
      appendOnly: true,
      signal: stop,
    }).then(
      () => buffer.end(),
      (error: unknown) => {
        if (!jump.signal.aborted) throw error
      },
    )
    // After the copy is complete, the element plays from its buffer until the person jumps to a place outside of it.
    fromS = await Promise.race([target, copy.then(() => target)])
    jump.abort()
    await copy
    await buffer.reset()
  }
}
