import { maxSentPixels, maxSentSide } from './picture-limits.ts'
import type { Size } from './preview-sizes.ts'

/** The text of a page that was written for a phone can be read at this width, or at half of the page's own width. */
const readableSide = 320
const readableScale = 0.5

/**
 * Returns the size at which a picture is sent. Its area is limited instead of its longer side, so that a long page can
 * be read. Undefined if the picture is too long to be readable at any size that can be sent.
 */
export function sentSize({ width, height }: Size): Size | undefined {
  const byArea = Math.sqrt(maxSentPixels / (width * height))
  const scale = Math.min(1, byArea, maxSentSide / Math.max(width, height))
  const shorterSide = Math.min(width, height) * scale
  if (scale < readableScale && shorterSide < readableSide) return undefined
  return { width: Math.floor(width * scale) || 1, height: Math.floor(height * scale) || 1 }
}

/** The longest shape of a thumbnail; a longer one would look like a thread. */
const maxThumbRatio = 4

/** Returns the part of a picture that its thumbnail shows: all of it, or the beginning of a long one. */
export const thumbPart = ({ width, height }: Size): Size => ({
  width: Math.min(width, height * maxThumbRatio),
  height: Math.min(height, width * maxThumbRatio),
})
