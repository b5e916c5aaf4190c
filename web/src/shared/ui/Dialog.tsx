import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { useBackdrop } from '../lib/use-backdrop.ts'
import { IconButton } from './Button.tsx'
import { CloseIcon } from './first-icons.ts'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  children: ReactNode
  /** Whether the dialog stays open on Escape and on a click outside. */
  isFirm?: boolean
  /** A sheet comes in from the left. Other dialogs come from below, or are a card in the middle of a wide window. */
  isSheet?: boolean
}

/**
 * Uses the browser's own modal dialog: the focus stays inside and is returned, and the page behind is inert. (Radix's
 * dialog writes style elements, which the content security policy refuses.)
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  isFirm = false,
  isSheet = false,
}: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const backdrop = useBackdrop(() => {
    if (!isFirm) onOpenChange(false)
  })
  // A new title means new content, and the old content may have contained the focused element.
  useLayoutEffect(() => {
    if (!heading.current || document.activeElement !== document.body) return
    // The title becomes focusable only now, because an opening dialog would focus it instead of its first control.
    heading.current.tabIndex = -1
    heading.current.focus()
  }, [title])
  if (!open) return null
  return (
    <dialog
      ref={showModally}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault()
        if (!isFirm) onOpenChange(false)
      }}
      onClose={({ currentTarget }) => {
        if (currentTarget.open) return
        // Chromium closes the dialog on a second Escape even if the first was prevented, so it is opened again.
        if (isFirm) currentTarget.showModal()
        else onOpenChange(false)
      }}
      {...backdrop}
      className={cx(
        'touch-pan-y touch-pinch-zoom border-line bg-surface text-ink shadow-xl backdrop:bg-black/50',
        isSheet
          ? 'side-menu max-h-none w-72 max-w-[85vw] border-r p-0 pt-[env(safe-area-inset-top)]'
          : 'sheet m-0 mt-auto max-h-[90dvh] w-full max-w-full rounded-t-3xl border-t p-0 pb-[env(safe-area-inset-bottom)] sm:m-auto sm:max-w-md sm:rounded-2xl sm:border sm:pb-0',
      )}
    >
      <div className="p-5">
        <h2 ref={heading} id={`${id}-title`} className={cx('text-xl font-semibold', !isFirm && 'pr-10')}>
          {title}
        </h2>
        {description && (
          <p id={`${id}-description`} className="mt-1 text-ink-2">
            {description}
          </p>
        )}
        <div className="mt-4">{children}</div>
      </div>
      {/* The button comes last, so that an opening dialog focuses its first own control. */}
      {!isFirm && (
        <IconButton label="Close" className="absolute top-3 right-2" onClick={() => onOpenChange(false)}>
          <CloseIcon />
        </IconButton>
      )}
    </dialog>
  )
}

/**
 * Closes the dialog before React removes it, because only a closed dialog returns the focus to the element that opened
 * it.
 */
function showModally(dialog: HTMLDialogElement | null) {
  dialog?.showModal()
  return () => dialog?.close()
}
