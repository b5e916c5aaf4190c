import type { InputAudioTrack, InputVideoTrack } from 'mediabunny'
import { piecesOf } from './film-pieces.ts'
import type { Piece } from './film-pieces.ts'
import { hiddenParts, placePictures } from './film-times.ts'
import type { HiddenPart, PlacedPictures } from './film-times.ts'
import { indexOf } from './film-tracks.ts'
import type { Tracks } from './film-tracks.ts'
import { planPictures } from './picture-plan.ts'

/** The parts of a film that are copied, and the times when they are shown. */
export interface CopyPlan {
  pictures: readonly PlacedPictures[]
  /** Undefined if all of the sound is copied. */
  sounds: readonly Piece[] | undefined
  /** Moves the copy, because no packet may stand before zero but some files begin there. */
  shiftS: number
  /** Parts that were cut out but have to be copied, because shown pictures need them. */
  hidden: readonly HiddenPart[]
  /** No picture of this many seconds at the beginning can be decoded, because none is complete. */
  missingS: number
}

/** Throws a `NotCopiedError` if copied packets cannot reproduce the cuts of the film. */
export async function planCopy(tracks: Tracks): Promise<CopyPlan> {
  const { video, audio } = tracks
  const [shown, heard] = [video, audio].map((track) => {
    const index = indexOf(tracks, track)
    return index && piecesOf(index)
  })
  const plans = video ? await planPictures(video, shown) : []
  if (!plans) throw new Error('None of the pictures can be decoded.')
  const [first] = plans
  const beginS = Math.max(await startOf(video), first?.piece.fromS ?? 0)
  const starts = await Promise.all([shown ? 0 : startOf(video), heard ? 0 : startOf(audio)])
  const shiftS = Math.max(0, ...starts.map((start) => -start))
  return {
    pictures: placePictures(plans, shiftS),
    sounds: heard?.pieces,
    shiftS,
    hidden: hiddenParts(plans, shown?.offsetS ?? 0),
    missingS: first ? Math.max(0, first.start.timestamp - beginS) : 0,
  }
}

const startOf = async (track: InputVideoTrack | InputAudioTrack | null): Promise<number> =>
  (await track?.getFirstTimestamp()) ?? 0
