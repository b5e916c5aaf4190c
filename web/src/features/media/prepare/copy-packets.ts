import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  StreamTarget,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'
import type { EncodedPacket, InputAudioTrack, InputVideoTrack, Source } from 'mediabunny'

/** The first picture and the first sound of a film or a recording. */
export interface Tracks {
  video: InputVideoTrack | null
  audio: InputAudioTrack | null
  /** WebM stays WebM; everything else becomes a fragmented MP4. */
  container: 'webm' | 'mp4'
}

/** Reads what MP4, QuickTime and WebM files say of their tracks; null for any other file and for one without tracks. */
export async function openTracks(source: Source): Promise<Tracks | null> {
  const input = new Input({ source, formats: [MP4, QTFF, WEBM] })
  if (!(await input.canRead())) return null
  const [video, audio] = await Promise.all([input.getPrimaryVideoTrack(), input.getPrimaryAudioTrack()])
  if (!video && !audio) return null
  return { video, audio, container: (await input.getFormat()) === WEBM ? 'webm' : 'mp4' }
}

/** Whether the container takes what the tracks are coded in. */
export async function canCopy({ video, audio, container }: Tracks): Promise<boolean> {
  const format = container === 'webm' ? new WebMOutputFormat() : new Mp4OutputFormat()
  const codecs = await Promise.all([video, audio].map(async (track) => track?.getCodec()))
  const taken: readonly string[] = format.getSupportedCodecs()
  return codecs.every((codec) => codec === undefined || (codec !== null && taken.includes(codec)))
}

export interface CopyOptions {
  /** Takes each part of the file, by its place; the copy waits for it. */
  write: (data: Uint8Array, position: number) => void | Promise<void>
  /** Begins at the key frame before this time, in seconds. */
  fromS?: number
  /** Nothing behind is written again, so that what was written can be played. */
  appendOnly?: boolean
  signal?: AbortSignal
}

/** What was cut off the beginning of a film stands further before its zero than what a coder needs to begin, in seconds. */
const mostBeforeZeroS = 0.5

/**
 * Copies the packets of picture and sound as they are into a file of their own. Nothing else crosses: no place, no date, no
 * title, no subtitles. Turned pictures stay turned. Resolves with where the last packet ends.
 */
export async function copyPackets(
  { video, audio, container }: Tracks,
  { write, fromS = 0, appendOnly = false, signal }: CopyOptions,
): Promise<{ seconds: number }> {
  const target = new WritableStream<{ data: Uint8Array; position: number }>({
    write: ({ data, position }) => write(data, position),
  })
  const output = new Output({
    format:
      container === 'webm'
        ? new WebMOutputFormat({ appendOnly })
        : new Mp4OutputFormat({ fastStart: 'fragmented' }),
    target: new StreamTarget(target),
  })
  const lanes: Lane[] = []
  const startOf = (track: InputVideoTrack | InputAudioTrack | null) => track?.getFirstTimestamp() ?? 0
  const beforeZeroS = Math.max(0, -(await startOf(video)), -(await startOf(audio)))
  // No packet may stand before zero, and some files begin there.
  const shiftS = Math.min(beforeZeroS, mostBeforeZeroS)
  const first = video && (await firstPicture(video, fromS - shiftS))
  if (video) {
    const [codec, decoderConfig] = await Promise.all([video.getCodec(), video.getDecoderConfig()])
    if (!codec || !decoderConfig) throw new Error('The picture is coded in an unknown way.')
    const source = new EncodedVideoPacketSource(codec)
    const rotation = await video.getRotation()
    output.addVideoTrack(source, { rotation })
    lanes.push(await laneOf(video, first, (packet) => source.add(packet, { decoderConfig })))
  }
  if (audio) {
    const [codec, decoderConfig] = await Promise.all([audio.getCodec(), audio.getDecoderConfig()])
    if (!codec || !decoderConfig) throw new Error('The sound is coded in an unknown way.')
    const source = new EncodedAudioPacketSource(codec)
    output.addAudioTrack(source)
    const start = await new EncodedPacketSink(audio).getPacket(first?.timestamp ?? fromS - shiftS)
    lanes.push(await laneOf(audio, start, (packet) => source.add(packet, { decoderConfig })))
  }
  await output.start()
  let seconds = 0
  try {
    for (let lane = nextOf(lanes); lane?.packet; lane = nextOf(lanes)) {
      signal?.throwIfAborted()
      const { packet } = lane
      const timestamp = Math.max(0, packet.timestamp + shiftS)
      seconds = Math.max(seconds, timestamp + packet.duration)
      await lane.add(packet.clone({ timestamp }))
      await lane.advance()
    }
    await output.finalize()
    return { seconds }
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/** The key frame to begin with; null for the first packet. */
async function firstPicture(video: InputVideoTrack, fromS: number): Promise<EncodedPacket | null> {
  const sink = new EncodedPacketSink(video)
  const key = await sink.getKeyPacket(fromS, { verifyKeyPackets: true })
  if (!key || key.timestamp >= -mostBeforeZeroS) return key
  return (await sink.getNextKeyPacket(key, { verifyKeyPackets: true })) ?? key
}

/** One track on its way. */
interface Lane {
  /** Undefined when all were copied. */
  packet: EncodedPacket | undefined
  add: (packet: EncodedPacket) => Promise<void>
  advance: () => Promise<void>
}

async function laneOf(
  track: InputVideoTrack | InputAudioTrack,
  start: EncodedPacket | null,
  add: Lane['add'],
): Promise<Lane> {
  const packets = new EncodedPacketSink(track).packets(start ?? undefined)
  const lane: Lane = {
    packet: undefined,
    add,
    advance: async () => {
      lane.packet = (await packets.next()).value ?? undefined
    },
  }
  await lane.advance()
  return lane
}

/** The track whose next packet comes first. */
const nextOf = (lanes: readonly Lane[]) =>
  lanes
    .filter(({ packet }) => packet)
    .sort((one, other) => (one.packet?.timestamp ?? 0) - (other.packet?.timestamp ?? 0))[0]
