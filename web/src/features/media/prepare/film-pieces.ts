import type { TrackIndex } from './film-index.ts'

/** A piece is a part of a track that is shown. Its times are in seconds. */
export interface Piece {
  /** The piece is the part from `fromS` to `toS` in the time of the packets. */
  fromS: number
  toS: number
  /** The film shows the piece at this time. */
  atS: number
}

/** Lists the shown parts of a track. */
export interface Pieces {
  pieces: readonly Piece[]
  /** Mediabunny has subtracted these seconds from the times of the packets in the file. */
  offsetS: number
}

/**
 * Thrown if a film cannot be copied packet by packet: it has too many cuts, is shown at another speed, or its copy
 * grows too large.
 */
export class NotCopiedError extends Error {
  override readonly name = 'NotCopiedError'
}

const mostPieces = 200

/** Returns the pieces of a track in the order in which they are shown; undefined if the whole track is shown. */
export function piecesOf({ edits }: Pick<TrackIndex, 'edits'>): Pieces | undefined {
  const shown = edits.filter(({ fromS, lengthS }) => fromS !== null && lengthS > 0)
  if (edits.length === 0) return undefined
  if (shown.length > mostPieces || shown.some(({ rate }) => rate !== 1))
    throw new NotCopiedError('The film is cut in a way that packets cannot follow.')
  const first = edits.findIndex(({ fromS }) => fromS !== null)
  // Mediabunny moves all packets by the first edit and by the empty time before it.
  const offsetS = (edits[first]?.fromS ?? 0) - sum(edits.slice(0, Math.max(0, first)))
  const pieces: Piece[] = []
  let atS = 0
  for (const { fromS, lengthS } of edits) {
    const last = pieces.at(-1)
    if (fromS !== null && lengthS > 0) {
      const start = fromS - offsetS
      // Two edits that follow each other without a gap, both in the track and in the film, form one piece.
      if (last && near(last.toS, start) && near(last.atS + last.toS - last.fromS, atS))
        last.toS = start + lengthS
      else pieces.push({ fromS: start, toS: start + lengthS, atS })
    }
    atS += lengthS
  }
  return { pieces, offsetS }
}

const sum = (edits: TrackIndex['edits']) => edits.reduce((total, { lengthS }) => total + lengthS, 0)
const near = (one: number, other: number) => Math.abs(one - other) < 0.001
