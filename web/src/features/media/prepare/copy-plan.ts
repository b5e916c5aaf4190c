import type { InputAudioTrack, InputVideoTrack } from 'mediabunny'
import { piecesOf } from './film-pieces.ts'
import type { Piece } from './film-pieces.ts'
import { hiddenParts, placePictures } from './film-times.ts'
import type { HiddenPart, PlacedPictures } from './film-times.ts'
import { indexOf } from './film-tracks.ts'
import type { Tracks } from './film-tracks.ts'
import { planPictures } from './picture-plan.ts'

/** States which parts of a film are copied, and when the copy shows them. */
export interface CopyPlan {
  pictures: readonly PlacedPictures[]
  /** Only these parts of the sound are copied; undefined stands for all of it. */
  sounds: readonly Piece[] | undefined
  /** Everything in the copy is this many seconds later, because some films begin before zero and a copy cannot. */
  shiftS: number
  /** These parts were cut out but have to be copied, because shown pictures are decoded from them. */
  hidden: readonly HiddenPart[]
  /** In this many seconds at the beginning, no picture can be decoded, because the first key frame follows later. */
  missingS: number
}

/** Plans the copy of a film. Rejects with a `NotCopiedError` if copied packets cannot reproduce its cuts. */
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
