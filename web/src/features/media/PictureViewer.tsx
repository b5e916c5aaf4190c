import { useCallback, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { MediaDialog, MediaDialogFailure } from './MediaDialog.tsx'
import { openPicture } from './open-picture.ts'
import type { MediaSourceOf } from './open-picture.ts'
import { usePicture } from './use-picture.ts'

/**
 * Plus and minus move through these zoom levels. At 1, a picture fits the window. A long picture fits with its shorter
 * side at 1, and as a whole at 0, a level that only long pictures have.
 */
const steps = [0, 1, 2, 4]
/**
 * A picture is long if one side is this many times the other, both on its own and compared with the shape of the
 * window. Text in it could not be read if the whole picture were fitted into the window.
 */
const longRatio = 2.5

/** Returns the direction in which a picture is too long for this element; null if it is not. */
function longSide({ naturalWidth, naturalHeight }: HTMLImageElement, { clientWidth, clientHeight }: Element) {
  const shape = naturalHeight / naturalWidth
  const beside = (shape * clientWidth) / clientHeight
  if (Math.min(shape, beside) >= longRatio) return 'tall'
  return Math.max(shape, beside) <= 1 / longRatio ? 'wide' : null
}

interface PictureViewerProps {
  source: MediaSourceOf
  /** Screen readers name the picture by the text that its sender wrote under it, or by "Photo". */
  name: string
  onClose: () => void
}

/**
 * Shows a picture over the whole window; a long one starts at a readable size. A tap and the keys plus and minus zoom,
 * and scrolling moves the picture.
 */
export function PictureViewer({ source, name, onClose }: PictureViewerProps) {
  const { mediaUrl, media, io } = source
  const open = useCallback(
    (signal: AbortSignal) => openPicture({ mediaUrl, media, ...(io && { io }) }, signal),
    [mediaUrl, media, io],
  )
  const [opened, retry] = usePicture(open)
  const [zoom, setZoom] = useState(1)
  const [long, setLong] = useState<'tall' | 'wide' | null>(null)
  const isWhole = zoom === (long ? 0 : 1)
  const stage = useRef<HTMLDivElement>(null)

  const zoomTo = (next: number, at?: { x: number; y: number }) => {
    setZoom(next)
    // The position is set after the picture has its new size, so that the tapped point comes to the middle.
    requestAnimationFrame(() => {
      const { current } = stage
      if (!current || !at) return
      current.scrollTo(
        at.x * current.scrollWidth - current.clientWidth / 2,
        at.y * current.scrollHeight - current.clientHeight / 2,
      )
    })
  }
  const nextByTap = () => {
    if (zoom === 1) return 2
    return long && zoom > 1 ? 0 : 1
  }
  const onTap = ({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    zoomTo(nextByTap(), { x: (clientX - left) / width, y: (clientY - top) / height })
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const index = steps.indexOf(zoom)
    if (key === '+' || key === '=') zoomTo(steps[Math.min(index + 1, steps.length - 1)] ?? 1)
    if (key === '-') zoomTo(steps[Math.max(index - 1, long ? 0 : 1)] ?? 1)
  }
  return (
    <MediaDialog label={name} onClose={onClose} onKeyDown={onKeyDown}>
      <div
        ref={stage}
        tabIndex={0}
        aria-label="Photo, zoom with plus and minus"
        role="group"
        data-swipe={isWhole || (long === 'tall' && zoom === 1) ? undefined : 'own'}
        className={cx('flex size-full items-start overflow-auto', isWhole && 'items-center justify-center')}
      >
        {opened.state === 'open' && opened.url && (
          <img
            src={opened.url}
            alt={name}
            onClick={onTap}
            onLoad={({ currentTarget }) => stage.current && setLong(longSide(currentTarget, stage.current))}
            style={{
              width: isWhole ? '100%' : long === 'wide' ? 'auto' : `${zoom * 100}%`,
              height: isWhole ? '100%' : long === 'tall' ? 'auto' : `${zoom * 100}%`,
            }}
            className={cx(
              'max-w-none shrink-0 object-contain',
              nextByTap() > zoom ? 'cursor-zoom-in' : 'cursor-zoom-out',
            )}
          />
        )}
        {opened.state === 'loading' && <Spinner label="Loading photo..." />}
        {opened.state === 'failed' && <MediaDialogFailure failure={opened} onRetry={retry} />}
      </div>
    </MediaDialog>
  )
}
