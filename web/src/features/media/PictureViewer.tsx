import { useCallback, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { MediaDialog, MediaDialogFailure } from './MediaDialog.tsx'
import { openPicture } from './open-picture.ts'
import type { MediaSourceOf } from './open-picture.ts'
import { usePicture } from './use-picture.ts'

const steps = [1, 2, 4]

interface PictureViewerProps {
  source: MediaSourceOf
  /** What its sender wrote under it, else what it is. */
  name: string
  onClose: () => void
}

/** A picture over the whole window. A tap, plus, minus or Enter zooms; scrolling moves it. */
export function PictureViewer({ source, name, onClose }: PictureViewerProps) {
  const { mediaUrl, media } = source
  const open = useCallback(
    (signal: AbortSignal) => openPicture({ mediaUrl, media }, signal),
    [mediaUrl, media],
  )
  const [opened, retry] = usePicture(open)
  const [zoom, setZoom] = useState(1)
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
  const onTap = ({ clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    zoomTo(zoom === 1 ? 2 : 1, { x: (clientX - left) / width, y: (clientY - top) / height })
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const index = steps.indexOf(zoom)
    if (key === '+' || key === '=') zoomTo(steps[Math.min(index + 1, steps.length - 1)] ?? 1)
    if (key === '-') zoomTo(steps[Math.max(index - 1, 0)] ?? 1)
  }
  return (
    <MediaDialog label={name} onClose={onClose} onKeyDown={onKeyDown}>
      <div
        ref={stage}
        tabIndex={0}
        aria-label="Photo, zoom with plus and minus"
        role="group"
        data-swipe={zoom === 1 ? undefined : 'own'}
        className={cx('flex size-full overflow-auto', zoom === 1 && 'items-center justify-center')}
      >
        {opened.state === 'open' && opened.url && (
          <img
            src={opened.url}
            alt={name}
            onClick={onTap}
            style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
            className={cx(
              'max-w-none shrink-0 object-contain',
              zoom === 1 ? 'cursor-zoom-in' : 'cursor-zoom-out',
            )}
          />
        )}
        {opened.state === 'loading' && <Spinner label="Loading photo..." />}
        {opened.state === 'failed' && <MediaDialogFailure failure={opened} onRetry={retry} />}
      </div>
    </MediaDialog>
  )
}
