import { EncodedPacketSink } from 'mediabunny'
import type { EncodedPacket, InputVideoTrack } from 'mediabunny'
import type { Piece, Pieces } from './film-pieces.ts'

/** Lists the pictures that have to be copied to show one piece of a track. */
export interface PicturePlan {
  piece: Piece
  /** The decoder starts with this picture, which needs no other one. */
  start: EncodedPacket
  /** The first shown picture has this time, in seconds of the packets. */
  firstS: number
  /** Pictures at these times are needed for decoding but not shown, because they lie before the piece or behind it. */
  before: number[]
  behind: number[]
  /** The last needed picture has this sequence number; Infinity if the piece reaches to the end. */
  lastSequence: number
}

/** Times that differ by less than this many seconds count as equal, because the clocks of files round. */
export const clockS = 0.002
/**
 * Encoders store at most this many pictures before one that is shown earlier, so a search may stop after this number.
 */
const mostReordered = 40

/** Plans which pictures are copied for each piece of a track. Resolves to null if no picture can be decoded. */
export async function planPictures(
  video: InputVideoTrack,
  shown: Pieces | undefined,
): Promise<PicturePlan[] | null> {
  const sink = new EncodedPacketSink(video)
  const first = await sink.getFirstKeyPacket({ verifyKeyPackets: true })
  if (!first) return null
  const whole: Piece = { fromS: -Infinity, toS: Infinity, atS: 0 }
  const plans: PicturePlan[] = []
  for (const piece of shown?.pieces ?? [whole]) {
    const plan = await planPiece(sink, piece, first)
    if (plan) plans.push(plan)
  }
  return plans.length > 0 ? plans : null
}

async function planPiece(
  sink: EncodedPacketSink,
  piece: Piece,
  first: EncodedPacket,
): Promise<PicturePlan | undefined> {
  const { fromS, toS } = piece
  const key =
    fromS === -Infinity ? first : await sink.getKeyPacket(fromS + clockS, { verifyKeyPackets: true })
  const start = key ?? first
  if (start.timestamp >= toS - clockS) return undefined
  const before: number[] = []
  let firstS = start.timestamp
  if (start.timestamp < fromS - clockS) {
    firstS = Infinity
    for await (const { timestamp } of near(sink, start, (time) => time >= fromS - clockS)) {
      if (timestamp >= fromS - clockS) firstS = Math.min(firstS, timestamp)
      // A picture that follows its key frame in the file but is shown before it cannot be decoded from this key frame.
      else if (timestamp >= start.timestamp) before.push(timestamp)
    }
  }
  const end = toS === Infinity ? null : await planEnd(sink, start, toS)
  return {
    piece,
    start,
    firstS,
    before: before.sort(ascending),
    behind: end?.behind.sort(ascending) ?? [],
    lastSequence: end?.lastSequence ?? Infinity,
  }
}

async function planEnd(sink: EncodedPacketSink, start: EncodedPacket, toS: number) {
  const key = await sink.getKeyPacket(toS - clockS, { metadataOnly: true })
  const from = key && key.sequenceNumber > start.sequenceNumber ? key : start
  const waiting: number[] = []
  let behind: number[] = []
  let lastSequence = start.sequenceNumber
  for await (const { timestamp, sequenceNumber } of near(sink, from, (time) => time >= toS - clockS)) {
    if (timestamp >= toS - clockS) waiting.push(timestamp)
    else {
      behind = [...waiting]
      lastSequence = sequenceNumber
    }
  }
  return { behind, lastSequence }
}

/** Yields the packets from `start` on, until `isOver` was true for `mostReordered` packets in a row. */
async function* near(sink: EncodedPacketSink, start: EncodedPacket, isOver: (timestamp: number) => boolean) {
  let over = 0
  for (
    let packet: EncodedPacket | null = await sink.getPacket(start.timestamp, { metadataOnly: true });
    packet && over < mostReordered;
    packet = await sink.getNextPacket(packet, { metadataOnly: true })
  ) {
    yield packet
    over = isOver(packet.timestamp) ? over + 1 : 0
  }
}

const ascending = (one: number, other: number) => one - other
