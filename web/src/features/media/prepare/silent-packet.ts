/** `data` is a packet in which nothing can be heard for `seconds`. */
export interface Silence {
  data: Uint8Array
  seconds: number
}

/** These frames of AAC-LC are silent; the key is the number of channels. */
const silentAac: Record<number, number[]> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
}
const samplesOfAac = 1024
const silentOpus: Record<number, number[]> = { 1: [0xf8, 0xff, 0xfe], 2: [0xfc, 0xff, 0xfe] }
const secondsOfOpus = 0.02

/** Returns silence in the codec of a track; null for other codecs and for more than two channels. */
export function silenceIn({ codec, numberOfChannels, sampleRate }: AudioDecoderConfig): Silence | null {
  const isAac = codec === 'mp4a.40.2'
  const bytes = isAac
    ? silentAac[numberOfChannels]
    : codec === 'opus'
      ? silentOpus[numberOfChannels]
      : undefined
  return bytes
    ? { data: Uint8Array.from(bytes), seconds: isAac ? samplesOfAac / sampleRate : secondsOfOpus }
    : null
}
