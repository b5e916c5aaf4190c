import type { KeyboardEvent, ReactNode } from 'react'
import { CloseIcon } from '../../shared/ui/first-icons.ts'
import type { MediaFailure } from './media-failure.ts'

interface MediaDialogProps {
  label: string
  onClose: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  children: ReactNode
}

/** Shows media over the whole window. */
export function MediaDialog({ label, onClose, onKeyDown, children }: MediaDialogProps) {
  return (
    <dialog
      ref={showModally}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
      onKeyDown={onKeyDown}
      className="m-0 h-dvh max-h-none w-screen max-w-none bg-black p-0 text-white"
    >
      {children}
      <button
        type="button"
        aria-label="Close"
        onClick={onClose}
        className="absolute top-[max(0.75rem,env(safe-area-inset-top))] right-3 inline-flex size-12 items-center justify-center rounded-full bg-black/60"
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
