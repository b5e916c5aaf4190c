import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'

export const barCount = 48
/** Bars are relative to at least this level, so that the noise of a silent recording is not shown as loud. */
const quietLevel = 0.02

/**
 * Encodes the loudness of a recording as 48 bytes in base64url: the loudest level of each part, relative to the loudest
 * of all.
 */
export function toBars(levels: readonly number[]): string {
  const loudest = levels.reduce((most, level) => Math.max(most, level), quietLevel)
  const bars = Uint8Array.from({ length: barCount }, (_, index) => {
    const from = Math.floor((index * levels.length) / barCount)
    const to = Math.max(from + 1, Math.floor(((index + 1) * levels.length) / barCount))
    return Math.round((255 * Math.max(0, ...levels.slice(from, to))) / loudest)
  })
  return toBase64Url(bars)
}

/** Returns the heights of the bars, 0 to 1; all are 0 if the loudness is unknown. */
export const heightsOf = (bars: string | undefined): number[] =>
  bars === undefined
    ? Array.from({ length: barCount }, () => 0)
    : Array.from(fromBase64Url(bars), (byte) => byte / 255)
