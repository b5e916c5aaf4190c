import type { TrackIndex } from './film-index.ts'

/** A part of a track that is shown, in seconds. */
export interface Piece {
  /** The beginning in the packets' own time. */
  fromS: number
  toS: number
  /** The time when it is shown. */
  atS: number
}

/** The shown parts of a track. */
export interface Pieces {
  pieces: readonly Piece[]
  /** The library has subtracted this from the times of the packets in the file. */
  offsetS: number
}

/** The film has too many cuts, or is shown at another speed. */
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
  // The library moves all packets by the first edit and by the empty time before it.
  const offsetS = (edits[first]?.fromS ?? 0) - sum(edits.slice(0, Math.max(0, first)))
  const pieces: Piece[] = []
  let atS = 0
  for (const { fromS, lengthS } of edits) {
    const last = pieces.at(-1)
    if (fromS !== null && lengthS > 0) {
      const start = fromS - offsetS
      // Two edits that meet at the same place are one piece.
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
