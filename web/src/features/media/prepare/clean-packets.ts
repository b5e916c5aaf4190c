import type { AudioCodec, VideoCodec } from 'mediabunny'
import { keepAv1Units } from './av1-units.ts'
import { BrokenCodingError } from './coded-units.ts'
import { cleanH264 } from './h264-units.ts'
import { cleanHevc } from './hevc-units.ts'
import { cleanAacConfiguration, cleanOpusHead } from './sound-configuration.ts'

/** Reduces a track to what may be sent: its configuration, and the necessary part of each packet. */
export interface Cleaner {
  description: Uint8Array | undefined
  /**
   * Returns an empty array for a packet that is not needed. Throws a `BrokenCodingError` if the packet cannot be
   * parsed.
   */
  clean: (packet: Uint8Array) => Uint8Array
}

type Configuration = Pick<VideoDecoderConfig, 'description'>

const whole = (packet: Uint8Array) => packet
const pictures: readonly (VideoCodec | null)[] = ['avc', 'hevc', 'av1', 'vp8', 'vp9'] satisfies VideoCodec[]
const sounds: readonly (AudioCodec | null)[] = ['aac', 'opus', 'mp3'] satisfies AudioCodec[]
/** This matches uncompressed sound, except for samples of eight bits, which an MP4 cannot hold. */
const samples = /^pcm-[sf](?!8)/

/** Returns whether packets of this codec are understood well enough to be sent. */
export const isKnownPicture = (codec: VideoCodec | null): boolean => pictures.includes(codec)
export const isKnownSound = (codec: AudioCodec | null): boolean =>
  sounds.includes(codec) || (codec !== null && samples.test(codec))

/** Throws a `BrokenCodingError` if the configuration is missing or cannot be read. */
export function cleanerOfPicture(codec: VideoCodec, { description }: Configuration): Cleaner {
  if (codec === 'avc') return cleanH264(needed(description))
  if (codec === 'hevc') return cleanHevc(needed(description))
  return { description: undefined, clean: codec === 'av1' ? keepAv1Units : whole }
}

/** Throws a `BrokenCodingError` if the configuration cannot be read. */
export function cleanerOfSound(codec: AudioCodec, { description }: Configuration): Cleaner {
  if (!description) return { description: undefined, clean: whole }
  const bytes = bytesOf(description)
  if (codec === 'aac') return { description: cleanAacConfiguration(bytes), clean: whole }
  if (codec === 'opus') return { description: cleanOpusHead(bytes), clean: whole }
  // Sound of any other codec is never sent, but a received film with it is played as it was stored.
  return { description: isKnownSound(codec) ? undefined : bytes, clean: whole }
}

function needed(description: AllowSharedBufferSource | undefined): Uint8Array {
  if (!description) throw new BrokenCodingError('The picture has no configuration.')
  return bytesOf(description)
}

const bytesOf = (source: AllowSharedBufferSource): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
