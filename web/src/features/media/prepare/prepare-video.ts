import type { InputVideoTrack } from 'mediabunny'
import {
  hiddenSentence,
  leastMissedS,
  missingSentence,
  moreSoundsSentence,
  noEndSentence,
  noPictureSentence,
  noPreviewSentence,
  noSoundSentence,
} from './ask-sender.ts'
import type { AskSender } from './ask-sender.ts'
import { isKnownPicture, isKnownSound } from './clean-packets.ts'
import { copyPackets } from './copy-packets.ts'
import { planCopy } from './copy-plan.ts'
import { NotCopiedError } from './film-pieces.ts'
import { bytesOf, hasMoreSounds, indexOf, openFileTracks } from './film-tracks.ts'
import type { Tracks } from './film-tracks.ts'
import { isCutOff, readFilmIndex } from './film-index.ts'
import { MediaRefusedError } from './media-refused-error.ts'
import type { RefusalReason } from './media-refused-error.ts'
import { PagedBytes } from './paged-bytes.ts'
import { maxSide } from './picture-limits.ts'
import { takePoster } from './take-poster.ts'
import type { PreparedMedia } from './prepared-media.ts'

/** No upload may have more bytes. The copy of a film that shows its parts repeatedly could grow without end. */
const maxBytes = 60_000_000

/**
 * Prepares a video for sending: the copy contains only the necessary picture and sound. The sender is asked first if
 * something would be lost or would become visible against the owner's will. A video that this browser cannot decode has
 * no still. Rejects with a `MediaRefusedError`.
 */
export async function prepareVideo(file: Blob, ask: AskSender, still = takePoster): Promise<PreparedMedia> {
  if (file.size === 0) throw new MediaRefusedError('empty')
  const opened = await openVideo(file)
  const { w, h } = await orRefuse('damaged_video', shownSize(opened.video))
  if (w > maxSide || h > maxSide) throw new MediaRefusedError('video_too_large')
  const hasKnownSound = !opened.audio || isKnownSound(await opened.audio.getCodec())
  const tracks = hasKnownSound ? opened : { ...opened, audio: null }
  const plan = await orRefuse('damaged_video', planCopy(tracks))

  const poster = await still(file).catch(() => undefined)
  const sentences = [
    ...(plan.hidden.length > 0 ? [hiddenSentence(plan.hidden)] : []),
    ...(plan.missingS > leastMissedS ? [missingSentence(plan.missingS)] : []),
    ...((await isCutOff(bytesOf(file))) ? [noEndSentence] : []),
    ...(hasKnownSound ? [] : [noSoundSentence]),
    ...(hasMoreSounds(tracks) ? [moreSoundsSentence] : []),
    ...(poster === undefined ? [noPreviewSentence] : []),
    ...(poster === null ? [noPictureSentence] : []),
  ]
  if (sentences.length > 0 && !(await ask(sentences))) throw new MediaRefusedError('not_wanted')

  const bytes = new PagedBytes()
  const write = (data: Uint8Array, position: number) => {
    if (position + data.length > maxBytes) throw new NotCopiedError('The film grows beyond what can be sent.')
    bytes.write(data, position)
  }
  const { seconds } = await orRefuse('damaged_video', copyPackets(tracks, { write, plan }))
  return {
    messageType: 'video',
    file: bytes,
    thumb: poster?.thumb ?? null,
    info: { w, h, ms: Math.round(seconds * 1000), ...(poster && { hash: poster.hash }) },
  }
}

/**
 * Opens the tracks of a film. Refuses a film without pictures, under copy protection, or in a coding that cannot be
 * separated into necessary and private parts.
 */
async function openVideo(file: Blob): Promise<Tracks & { video: InputVideoTrack }> {
  const tracks = await openFileTracks(file).catch(() => undefined)
  if (!tracks) throw new MediaRefusedError(await reasonOf(file, tracks === undefined))
  const { video } = tracks
  if (!video) throw new MediaRefusedError('video_without_picture')
  const index = indexOf(tracks, video)
  if (index?.isProtected) throw new MediaRefusedError('protected_video')
  if (!isKnownPicture(await video.getCodec())) throw new MediaRefusedError('unknown_picture')
  if (index && index.codings > 1) throw new MediaRefusedError('joined_video')
  return { ...tracks, video }
}

/** Returns the reason why no tracks can be read. */
async function reasonOf(file: Blob, isBroken: boolean): Promise<RefusalReason> {
  const head = new TextDecoder('latin1').decode(await file.slice(4, 8).arrayBuffer())
  if (!['ftyp', 'moov', 'mdat', 'wide', 'free'].includes(head)) return 'not_a_video'
  if (!(await readFilmIndex(bytesOf(file)))) return 'video_without_index'
  return isBroken ? 'damaged_video' : 'video_without_picture'
}

async function shownSize(video: InputVideoTrack): Promise<{ w: number; h: number }> {
  const [w, h] = await Promise.all([video.getDisplayWidth(), video.getDisplayHeight()])
  return { w: Math.round(w), h: Math.round(h) }
}

const orRefuse = <T>(reason: RefusalReason, promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown) => {
    throw new MediaRefusedError(error instanceof NotCopiedError ? 'cut_video' : reason)
  })
