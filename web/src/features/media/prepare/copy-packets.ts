import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  WebMOutputFormat,
} from 'mediabunny'
import type { EncodedPacket, InputAudioTrack, InputVideoTrack } from 'mediabunny'
import { cleanerOfPicture, cleanerOfSound } from './clean-packets.ts'
import type { CopyPlan } from './copy-plan.ts'
import { planCopy } from './copy-plan.ts'
import type { Tracks } from './film-tracks.ts'
import { silenceIn } from './silent-packet.ts'
import type { Silence } from './silent-packet.ts'
import { movedAt } from './film-times.ts'
import type { PlacedPictures } from './film-times.ts'

export interface CopyOptions {
  /** Receives each part of the file with its position. The copy waits for the returned promise. */
  write: (data: Uint8Array, position: number) => void | Promise<void>
  /** The copy starts at the key frame before this time, in seconds of the copy. */
  fromS?: number
  /** True if parts are only appended and never rewritten, so that a player can use them at once. */
  appendOnly?: boolean
  /** A caller that already has the result of `planCopy` passes it here. */
  plan?: CopyPlan
  signal?: AbortSignal
}

/**
 * Gaps in the sound are filled if they are longer than `leastSilenceS` and shorter than `mostSilenceS`. No player waits
 * for a shorter one.
 */
const leastSilenceS = 0.1
const mostSilenceS = 600

/** The copy shows the packet at `timestamp`, in seconds. */
interface Outgoing {
  packet: EncodedPacket
  timestamp: number
}

/**
 * Copies the necessary parts of the picture and sound packets into a new file. Nothing else is copied: no place, no
 * date, no title, no subtitles, no notes of a camera. Rotated pictures stay rotated, and parts that a cut hides take no
 * time. Resolves to the time, in seconds, at which the last packet ends.
 */
export async function copyPackets(
  tracks: Tracks,
  { write, fromS = 0, appendOnly = false, plan: given, signal }: CopyOptions,
): Promise<{ seconds: number }> {
  const { video, audio, container } = tracks
  const plan = given ?? (await planCopy(tracks))
  const output = new Output({
    format:
      container === 'webm'
        ? new WebMOutputFormat({ appendOnly })
        : new Mp4OutputFormat({ fastStart: 'fragmented' }),
    target: new StreamTarget(
      new WritableStream<{ data: Uint8Array; position: number }>({
        write: ({ data, position }) => write(data, position),
      }),
    ),
  })
  const lanes: Lane[] = []
  const lane = video && (await addPictures(output, video, picturesFrom(video, plan.pictures, fromS)))
  if (lane) lanes.push(lane)
  if (audio && plan.sounds?.length !== 0) {
    const startS = fromS > 0 ? (lane?.next?.timestamp ?? fromS) : 0
    const sounds = soundsFrom(audio, plan, startS > 0 ? startS : -Infinity)
    lanes.push(await addSounds(output, audio, sounds, startS))
  }
  await output.start()
  let seconds = 0
  try {
    for (let lane = nextOf(lanes); lane?.next; lane = nextOf(lanes)) {
      signal?.throwIfAborted()
      seconds = Math.max(seconds, lane.next.timestamp + lane.next.packet.duration)
      await lane.add(lane.next)
      await lane.advance()
    }
    await output.finalize()
    return { seconds }
  } catch (error) {
    await output.cancel()
    throw error
  }
}

async function addPictures(output: Output, video: InputVideoTrack, packets: AsyncGenerator<Outgoing>) {
  const [codec, config] = await Promise.all([video.getCodec(), video.getDecoderConfig()])
  if (!codec || !config) throw new Error('The picture is coded in an unknown way.')
  const { description, clean } = cleanerOfPicture(codec, config)
  const decoderConfig = withDescription(config, description)
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, { rotation: await video.getRotation() })
  return laneOf(packets, async ({ packet, timestamp }) => {
    const data = clean(packet.data)
    // A packet without necessary parts is left out; the previous picture is then shown a little longer.
    if (data.length > 0) await source.add(packet.clone({ data, timestamp, sideData: {} }), { decoderConfig })
  })
}

async function addSounds(
  output: Output,
  audio: InputAudioTrack,
  packets: AsyncGenerator<Outgoing>,
  startS: number,
) {
  const [codec, config] = await Promise.all([audio.getCodec(), audio.getDecoderConfig()])
  if (!codec || !config) throw new Error('The sound is coded in an unknown way.')
  const { description, clean } = cleanerOfSound(codec, config)
  const decoderConfig = withDescription(config, description)
  const source = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(source)
  const silence = silenceIn(config)
  return laneOf(silence ? withSilence(packets, silence, startS) : packets, ({ packet, timestamp }) =>
    source.add(packet.clone({ data: clean(packet.data), timestamp, sideData: {} }), { decoderConfig }),
  )
}

const withDescription = <Config extends object>(
  { description: _, ...config }: Config & { description?: AllowSharedBufferSource },
  description: Uint8Array | undefined,
) => ({ ...config, ...(description && { description }) })

async function* picturesFrom(
  video: InputVideoTrack,
  pictures: readonly PlacedPictures[],
  fromS: number,
): AsyncGenerator<Outgoing> {
  const sink = new EncodedPacketSink(video)
  const begin = Math.max(
    0,
    pictures.findLastIndex(({ atS }) => atS <= fromS),
  )
  for (const [index, placed] of pictures.entries()) {
    if (index < begin) continue
    const { piece, lastSequence, timeOf } = placed
    const key = index === begin ? await keyWithin(sink, placed, fromS) : null
    const start = key ?? placed.start
    for await (const packet of sink.packets(start)) {
      if (packet.sequenceNumber > lastSequence) break
      if (packet.timestamp < start.timestamp && (key || placed.isOpen || piece.fromS !== -Infinity)) continue
      yield { packet, timestamp: timeOf(packet.timestamp) }
    }
  }
}

/**
 * Returns the last key frame before a time of the copy, so that a jump into a piece need not copy the piece from its
 * beginning; null if there is none.
 */
async function keyWithin(
  sink: EncodedPacketSink,
  { piece, start, shownAtS }: PlacedPictures,
  fromS: number,
): Promise<EncodedPacket | null> {
  const time = fromS - shownAtS + (piece.fromS === -Infinity ? 0 : piece.fromS)
  if (time <= start.timestamp) return null
  const key = await sink.getKeyPacket(time, { verifyKeyPackets: true })
  return key && key.timestamp > start.timestamp && key.timestamp >= piece.fromS ? key : null
}

async function* soundsFrom(
  audio: InputAudioTrack,
  { pictures, sounds, shiftS }: CopyPlan,
  fromS: number,
): AsyncGenerator<Outgoing> {
  const sink = new EncodedPacketSink(audio)
  for (const { fromS: start, toS, atS } of sounds ?? [{ fromS: 0, toS: Infinity, atS: 0 }]) {
    const isWhole = sounds === undefined
    const movedS = movedAt(pictures, atS, shiftS) + atS - start
    if (toS + movedS <= fromS) continue
    const first = await sink.getPacket(Math.max(isWhole ? -Infinity : start, fromS - movedS))
    for await (const packet of sink.packets(first ?? undefined)) {
      const middle = packet.timestamp + packet.duration / 2
      if (!isWhole && middle < start) continue
      if (middle >= toS) break
      yield { packet, timestamp: Math.max(0, packet.timestamp + movedS) }
    }
  }
}

/**
 * Fills gaps in the sound with silent packets, because players wait for missing sound or play the following sound too
 * early.
 */
async function* withSilence(
  packets: AsyncGenerator<Outgoing>,
  { data, seconds: duration }: Silence,
  startS: number,
): AsyncGenerator<Outgoing> {
  let endS = startS
  for await (const next of packets) {
    const gapS = next.timestamp - endS
    if (gapS > leastSilenceS && gapS < mostSilenceS)
      for (; next.timestamp - endS > duration / 2; endS += duration)
        yield { packet: next.packet.clone({ data, duration }), timestamp: endS }
    yield next
    endS = next.timestamp + next.packet.duration
  }
}

/** A lane copies the packets of one track in order. */
interface Lane {
  /** This packet is copied next; undefined after the last one. */
  next: Outgoing | undefined
  add: (outgoing: Outgoing) => Promise<void>
  advance: () => Promise<void>
}

async function laneOf(packets: AsyncGenerator<Outgoing>, add: Lane['add']): Promise<Lane> {
  const lane: Lane = {
    next: undefined,
    add,
    advance: async () => {
      lane.next = (await packets.next()).value as Outgoing | undefined
    },
  }
  await lane.advance()
  return lane
}

/** Returns the lane with the earliest next packet; undefined if none is left. */
const nextOf = (lanes: readonly Lane[]) =>
  lanes
    .filter(({ next }) => next)
    .sort((one, other) => (one.next?.timestamp ?? 0) - (other.next?.timestamp ?? 0))[0]
