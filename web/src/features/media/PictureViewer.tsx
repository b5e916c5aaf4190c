import { useCallback, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { MediaDialog, MediaDialogFailure } from './MediaDialog.tsx'
import { openPicture } from './open-picture.ts'
import type { MediaSourceOf } from './open-picture.ts'
import { usePicture } from './use-picture.ts'

/** Zero shows the whole of a long picture, whose shorter side fits at one; of another one, the whole fits at one. */
const steps = [0, 1, 2, 4]
/** A picture that is this many times longer than wide, and than its window is, cannot be read as a whole. */
const longRatio = 2.5

/** The side of a picture that is too long for this element, if any. */
function longSide({ naturalWidth, naturalHeight }: HTMLImageElement, { clientWidth, clientHeight }: Element) {
  const shape = naturalHeight / naturalWidth
  const beside = (shape * clientWidth) / clientHeight
  if (Math.min(shape, beside) >= longRatio) return 'tall'
  return Math.max(shape, beside) <= 1 / longRatio ? 'wide' : null
}

interface PictureViewerProps {
  source: MediaSourceOf
  /** What its sender wrote under it, else what it is. */
  name: string
  onClose: () => void
}

/** A picture over the whole window; a long one begins where it can be read. A tap, plus or minus zooms; scrolling moves it. */
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
    // After the picture has its new size: what was under the finger stays in the middle.
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
