import { maxSentPixels, maxSentSide } from './picture-limits.ts'
import type { Size } from './preview-sizes.ts'

/** The text on a screenshot of a phone can be read if its shorter side keeps this many pixels, or half of its own. */
const readableSide = 320
const readableScale = 0.5

/**
 * Returns the size at which a picture is sent; undefined if it would be too long to be readable. The area is limited
 * instead of the longer side, so that a long page can be read.
 */
export function sentSize({ width, height }: Size): Size | undefined {
  const byArea = Math.sqrt(maxSentPixels / (width * height))
  const scale = Math.min(1, byArea, maxSentSide / Math.max(width, height))
  const shorterSide = Math.min(width, height) * scale
  if (scale < readableScale && shorterSide < readableSide) return undefined
  return { width: Math.floor(width * scale) || 1, height: Math.floor(height * scale) || 1 }
}

/** A side of a thumbnail is at most this many times the other, because a longer one would look like a thread. */
const maxThumbRatio = 4

/** Returns the part of a picture that its thumbnail shows: all of it, or the beginning of a long one. */
export const thumbPart = ({ width, height }: Size): Size => ({
  width: Math.min(width, height * maxThumbRatio),
  height: Math.min(height, width * maxThumbRatio),
})
