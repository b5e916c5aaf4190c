import type { Message } from '@sumlock/contracts/messaging-routes'

/** Describes the media of a sealed message, inside its sealed body. */
export interface MediaInfo {
  /** 32 random bytes in base64url, from which the keys of file and thumbnail are derived. */
  key: string
  /** The file had this size in bytes before it was sealed. */
  size: number
  /** The thumbnail had this size in bytes before it was sealed; 0 means that there is none. */
  thumb: number
  /** `w` and `h` are the pixels of the picture as shown; both are 0 for a voice message. */
  w: number
  h: number
  /** This is a ThumbHash in base64url. */
  hash?: string
  /** Whether the picture moves, so that a thumbnail cannot replace it. */
  moves?: true
  /** A video or a voice message lasts this long (ms). */
  ms?: number
  /** The 48 bytes (base64url) are the loudness of a voice message over time. */
  bars?: string
}

const maxPixels = 40_000_000
const maxVideoSide = 4096
const maxThumb = 64 * 1024
const maxSize = 60_000_000
const maxMs = 24 * 60 * 60_000

const isCount = (value: unknown, min: number, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max

/**
 * Checks a description, which a sender may have made with any client; undefined if its shape is wrong. Unknown fields
 * are left out.
 */
export function toMediaInfo(value: unknown, type: Message['messageType']): MediaInfo | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { key, size, thumb, w = 0, h = 0, hash, moves, ms, bars } = value as Record<string, unknown>
  if (typeof key !== 'string' || !/^[\w-]{43}$/.test(key)) return undefined
  if (!isCount(size, 1, maxSize) || !isCount(thumb, 0, maxThumb)) return undefined
  const minSide = type === 'voice' ? 0 : 1
  const maxSide = type === 'video' ? maxVideoSide : maxPixels
  if (!isCount(w, minSide, maxSide) || !isCount(h, minSide, maxSide) || w * h > maxPixels) return undefined
  const info: MediaInfo = { key, size, thumb, w, h }
  // A ThumbHash has at most 32 bytes, which are 43 characters. No number of bytes leaves one character after the fours.
  if (typeof hash === 'string' && /^[\w-]{4,43}$/.test(hash) && hash.length % 4 !== 1) info.hash = hash
  if (moves === true) info.moves = true
  if (type !== 'image') {
    if (!isCount(ms, 0, maxMs)) return undefined
    info.ms = ms
  }
  if (typeof bars === 'string' && /^[\w-]{64}$/.test(bars)) info.bars = bars
  return info
}
