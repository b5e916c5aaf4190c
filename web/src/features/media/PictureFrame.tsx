import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { thumbHashToDataURL } from 'thumbhash'

const maxWidthPx = 288
const maxHeightPx = 360
const minSidePx = 96

export interface PictureFrameProps {
  /** The picture's size in pixels. If the message does not state it, both are 0 and the frame gets the ratio 4 to 3. */
  width: number
  height: number
  /** This ThumbHash is shown as a blurred picture until there is a `url`. */
  hash?: Uint8Array | undefined
  url?: string | null
  alt: string
  children?: ReactNode
}

/**
 * Shows a picture in a bubble. Its space is reserved before the picture is loaded, so that the messages do not jump.
 */
export function PictureFrame({ width, height, hash, url, alt, children }: PictureFrameProps) {
  const [w, h] = fitted(width, height)
  const placeholder = useMemo(() => (hash ? thumbHashToDataURL(hash) : undefined), [hash])
  const shown = url ?? placeholder
  return (
    <span
      className="relative block max-w-full overflow-hidden rounded-xl bg-surface-2"
      style={{ width: w, aspectRatio: `${w} / ${h}` }}
    >
      {shown && (
        <img
          src={shown}
          alt={url ? alt : ''}
          draggable={false}
          className="absolute inset-0 size-full object-cover"
        />
      )}
      {children}
    </span>
  )
}

function fitted(width: number, height: number): [number, number] {
  if (width === 0 || height === 0) return [maxWidthPx, (maxWidthPx * 3) / 4]
  const scale = Math.min(maxWidthPx / width, maxHeightPx / height, 1)
  return [Math.max(minSidePx, Math.round(width * scale)), Math.max(minSidePx, Math.round(height * scale))]
}
