import type { InputAudioTrack, InputVideoTrack } from 'mediabunny'
import { piecesOf } from './film-pieces.ts'
import type { Piece } from './film-pieces.ts'
import { hiddenParts, placePictures } from './film-times.ts'
import type { HiddenPart, PlacedPictures } from './film-times.ts'
import { indexOf } from './film-tracks.ts'
import type { Tracks } from './film-tracks.ts'
import { planPictures } from './picture-plan.ts'

/** What is copied of a film, and when it is shown. */
export interface CopyPlan {
  pictures: readonly PlacedPictures[]
  /** Undefined where all of the sound is heard. */
  sounds: readonly Piece[] | undefined
  /** No packet may stand before zero, and some files begin there. */
  shiftS: number
  /** What was cut out, but has to be copied, because pictures that are shown need it. */
  hidden: readonly HiddenPart[]
  /** So long at the beginning no picture can be decoded, because none is whole. */
  missingS: number
}

/** Throws a `NotCopiedError` for a film that is cut in a way that packets cannot follow. */
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
