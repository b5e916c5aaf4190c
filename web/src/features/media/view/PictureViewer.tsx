import { useEffect, useEffectEvent } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { clockText, dayText } from '../../../shared/lib/date-text.ts'
import { cx } from '../../../shared/lib/cx.ts'
import { BackIcon, NextIcon } from '../../../shared/ui/icons.tsx'
import { Spinner } from '../../../shared/ui/Spinner.tsx'
import { MediaDialog, MediaDialogFailure } from '../MediaDialog.tsx'
import { SavePicture } from './SavePicture.tsx'
import { useStage } from './use-stage.ts'
import type { StageControls } from './use-stage.ts'
import type { ViewedPicture } from './viewed-picture.ts'

interface PictureViewerProps {
  pictures: readonly ViewedPicture[]
  startAt: number
  /** Receives the id of the picture that is shown now. */
  onShow?: (id: string) => void
  /** Stands in the place of sender and time, for a picture that cannot be saved. */
  note?: ReactNode
  /** Is called when a picture could be opened. */
  onShown?: () => void
  onClose: () => void
}

const panPx = 80

function pressKey({ isZoomed, goBy, zoomBy, panBy }: StageControls, key: string): void {
  if (key === '+' || key === '=') zoomBy(2)
  if (key === '-') zoomBy(1 / 2)
  if (key === 'ArrowUp') panBy(0, panPx)
  if (key === 'ArrowDown') panBy(0, -panPx)
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
  const by = key === 'ArrowRight' ? 1 : -1
  if (isZoomed()) panBy(-by * panPx, 0)
  else goBy(by)
}

/** Shows a picture over the whole window; buttons and arrow keys lead to the other pictures of the conversation. */
export function PictureViewer(props: PictureViewerProps) {
  const { pictures, startAt, note, onShow, onShown, onClose } = props
  const { place, controls, index, state } = useStage(pictures, startAt, { onShow, onClose })
  const { caption = '', sender = '', sentAtMs = 0 } = pictures[index] ?? {}
  const isOpen = state.state === 'open'
  const tellShown = useEffectEvent(() => onShown?.())
  useEffect(() => {
    if (isOpen) tellShown()
  }, [isOpen])
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey, target, currentTarget }: KeyboardEvent) => {
    // A dialog above the viewer takes its own keys.
    if (ctrlKey || metaKey || altKey || (target as Element).closest('dialog') !== currentTarget) return
    if (controls.current) pressKey(controls.current, key)
  }
  const goBy = (by: 1 | -1) => controls.current?.goBy(by)
  return (
    <MediaDialog label={caption || 'Photo'} note={note} onClose={onClose} onKeyDown={onKeyDown}>
      <div
        ref={place}
        tabIndex={0}
        role="group"
        aria-label="Photo, zoom with plus and minus"
        className="isolate size-full -outline-offset-2"
      />
      {state.state !== 'open' && (
        <div className="pointer-events-none absolute inset-0 flex items-center justify-center">
          {state.state === 'loading' ? (
            <Spinner label="Loading photo..." />
          ) : (
            <div className="pointer-events-auto">
              <MediaDialogFailure failure={state} onRetry={() => controls.current?.retry()} />
            </div>
          )}
        </div>
      )}
      {!note && (
        <p
          aria-live="polite"
          className="pointer-events-none absolute top-[max(0.75rem,env(safe-area-inset-top))] left-3 flex max-w-[calc(100%-9rem)] min-h-12 flex-col justify-center rounded-3xl bg-black/60 px-4 py-1"
        >
          <span dir="auto" className="truncate font-medium">
            {sender}
          </span>
          <span className="text-xs tabular-nums">
            {dayText(sentAtMs, new Date())}, {clockText(sentAtMs)}
          </span>
          {pictures.length > 1 && (
            <span className="sr-only">
              Photo {index + 1} of {pictures.length}
            </span>
          )}
        </p>
      )}
      <div className="pointer-events-none absolute inset-x-3 bottom-[max(0.75rem,env(safe-area-inset-bottom))] flex items-end justify-between gap-2">
        {pictures.length > 1 && (
          <MoveButton label="Previous photo" isEnd={index === 0} side="md:left-3" onClick={() => goBy(-1)}>
            <BackIcon />
          </MoveButton>
        )}
        {caption && (
          <p dir="auto" className="mx-auto max-w-prose rounded-2xl bg-black/60 px-4 py-2">
            <span className="line-clamp-3 wrap-anywhere whitespace-pre-line">{caption}</span>
          </p>
        )}
        {pictures.length > 1 && (
          <MoveButton
            label="Next photo"
            isEnd={index === pictures.length - 1}
            side="md:right-3"
            onClick={() => goBy(1)}
          >
            <NextIcon />
          </MoveButton>
        )}
      </div>
      {!note && <SavePicture blob={isOpen ? state.blob : null} />}
    </MediaDialog>
  )
}

interface MoveButtonProps {
  label: string
  isEnd: boolean
  /** In a wide window, the button stands at half the height of this side. */
  side: 'md:left-3' | 'md:right-3'
  onClick: () => void
  children: ReactNode
}

/** The button stays enabled at the end of the row, because a disabled button would swallow the arrow keys. */
function MoveButton({ label, isEnd, side, onClick, children }: MoveButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isEnd}
      onClick={onClick}
      className={cx(
        'pointer-events-auto inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-black/60 md:fixed md:top-[calc(50%-24px)]',
        side,
        isEnd && 'opacity-40',
      )}
    >
      {children}
    </button>
  )
}
