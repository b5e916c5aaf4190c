import { useId } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { CloseIcon } from '../../shared/ui/first-icons.ts'
import type { MediaFailure } from './media-failure.ts'

interface MediaDialogProps {
  label: string
  /** Whether the dialog has the colors of the app instead of black, and its button at the left. */
  isPlain?: boolean
  /** Stands at the top, and describes the dialog. */
  note?: ReactNode
  onClose: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  children: ReactNode
}

/** Shows media over the whole window. */
export function MediaDialog({
  label,
  isPlain = false,
  note,
  onClose,
  onKeyDown,
  children,
}: MediaDialogProps) {
  const noteId = useId()
  return (
    <dialog
      ref={showModally}
      aria-label={label}
      {...(note !== undefined && { 'aria-describedby': noteId })}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
      onKeyDown={onKeyDown}
      className={cx(
        'm-0 h-dvh max-h-none w-screen max-w-none p-0',
        isPlain ? 'bg-canvas text-ink' : 'bg-black text-white',
      )}
    >
      {children}
      {note !== undefined && (
        <p
          id={noteId}
          className={cx(
            'pointer-events-none absolute top-[max(0.75rem,env(safe-area-inset-top))] flex min-h-12 max-w-[calc(100%-5rem)] items-center gap-2 rounded-3xl py-1 pr-4 pl-3 text-sm',
            isPlain ? 'right-1' : 'left-3 bg-black/60',
          )}
        >
          {note}
        </p>
      )}
      <button
        type="button"
        aria-label="Close"
        onClick={onClose}
        className={cx(
          'absolute inline-flex size-12 items-center justify-center rounded-full',
          isPlain
            ? 'top-[calc(0.25rem+env(safe-area-inset-top))] left-2'
            : 'top-[max(0.75rem,env(safe-area-inset-top))] right-3 bg-black/60',
        )}
      >
        <CloseIcon />
      </button>
    </dialog>
  )
}

function showModally(dialog: HTMLDialogElement | null) {
  dialog?.showModal()
  return () => dialog?.close()
}

/** Explains in the dialog why its media cannot be shown, with a button if another try may help. */
export function MediaDialogFailure({ failure, onRetry }: { failure: MediaFailure; onRetry: () => void }) {
  return (
    <p role="status" className="p-6 text-center">
      {failure.sentence}
      {failure.canRetry && (
        <button type="button" className="block min-h-11 w-full underline" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
  )
}
