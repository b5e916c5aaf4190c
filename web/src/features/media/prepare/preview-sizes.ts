export interface Size {
  width: number
  height: number
}

const previewWidth = 200
export const previewQuality = 0.8
/** A larger picture is reduced to this many pixels before its preview is made. */
const maxPreviewPixels = 5_000_000
const maxPreviewSide = 4096

/** Scales a size to whole pixels, at least one a side. */
export const scaled = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
})

/** Returns the size to which a picture is reduced before its preview is made, and the size of the preview. */
export function previewSizes({ width, height }: Size): { from: Size; to: Size } {
  const bySide = maxPreviewSide / Math.max(width, height)
  const byPixels = Math.sqrt(maxPreviewPixels / (width * height))
  const reduce = Math.min(1, bySide, byPixels)
  const exact = { width: Math.floor(width * reduce) || 1, height: Math.floor(height * reduce) || 1 }
  return { from: exact, to: scaled(exact, Math.min(1, previewWidth / exact.width)) }
}
