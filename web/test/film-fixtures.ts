import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EncodedPacketSink } from 'mediabunny'
import { copyPackets } from '../src/features/media/prepare/copy-packets.ts'
import type { CopyOptions } from '../src/features/media/prepare/copy-packets.ts'
import { planCopy } from '../src/features/media/prepare/copy-plan.ts'
import { openFileTracks } from '../src/features/media/prepare/film-tracks.ts'
import { PagedBytes } from '../src/features/media/prepare/paged-bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Reads a film of the corpus. */
export const filmOf = (name: string): Bytes =>
  Uint8Array.from(readFileSync(join(import.meta.dirname, '../../testing/fixtures/media', name)))

const be32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const uint32 = (bytes: Uint8Array, at: number) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)
const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)

/** An edit of the pictures, in seconds; null shows nothing. */
export type GivenEdit = [fromS: number | null, lengthS: number, rate?: number]

/**
 * Returns a film whose index stands at its end, with another list of edits for one of its tracks. The track of the
 * pictures comes first.
 */
export function withEdits(
  film: Bytes,
  edits: readonly GivenEdit[],
  { kind = 'video', movieScale = 15_360 }: { kind?: 'video' | 'audio'; movieScale?: number } = {},
): Bytes {
  const mediaScale = kind === 'video' ? 15_360 : 44_100
  const index = text(film).lastIndexOf('moov') - 4
  const first = text(film).indexOf('trak', index)
  const track = (kind === 'video' ? first : text(film).indexOf('trak', first + 4)) - 4
  const old = text(film).indexOf('edts', track) - 4
  const oldSize = uint32(film, old)
  const list = edits.flatMap(([fromS, lengthS, rate = 1]) => [
    ...be32(Math.round(lengthS * movieScale)),
    ...be32(fromS === null ? -1 : Math.round(fromS * mediaScale)),
    ...be32(rate * 0x10000),
  ])
  const entries = [...be32(16 + list.length), 101, 108, 115, 116, 0, 0, 0, 0, ...be32(edits.length), ...list]
  const box = [...be32(8 + entries.length), 101, 100, 116, 115, ...entries]
  const made = Uint8Array.from([...film.subarray(0, old), ...box, ...film.subarray(old + oldSize)])
  const grown = box.length - oldSize
  for (const at of [index, track]) made.set(be32(uint32(film, at) + grown), at)
  return made
}

/** Returns the copied packets of a film. */
export async function copied(film: Bytes, options: Pick<CopyOptions, 'fromS' | 'signal'> = {}) {
  const tracks = await openFileTracks(new Blob([film]))
  if (!tracks) throw new Error('This is no film.')
  const plan = await planCopy(tracks)
  const file = new PagedBytes()
  const { seconds } = await copyPackets(tracks, {
    ...options,
    plan,
    write: (data, at) => file.write(data, at),
  })
  const bytes = new Uint8Array(await file.slice(0, file.size).arrayBuffer())
  return { bytes, seconds, hidden: plan.hidden }
}

export interface ShownPacket {
  timestamp: number
  isKey: boolean
  size: number
}

/** Returns the packets of a film in decoding order. */
export async function packetsOf(film: Bytes, kind: 'video' | 'audio' = 'video'): Promise<ShownPacket[]> {
  const track = (await openFileTracks(new Blob([film])))?.[kind]
  const packets: ShownPacket[] = []
  if (track)
    for await (const { timestamp, type, byteLength } of new EncodedPacketSink(track).packets())
      packets.push({ timestamp, isKey: type === 'key', size: byteLength })
  return packets
}

export const marksIn = (bytes: Uint8Array): number => text(bytes).split('MARK').length - 1
