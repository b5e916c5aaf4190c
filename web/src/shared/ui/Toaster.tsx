import * as RadixToast from '@radix-ui/react-toast'
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { usePage } from '../../page.ts'
import { cx } from '../lib/cx.ts'
import { CloseIcon } from './first-icons.ts'

/** Shows the toasts. A swipe to the right dismisses a toast, and F8 moves the focus to it. */
export function Toaster() {
  const { toasts } = usePage()
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get)
  const dialog = useOpenDialog(shown !== null)
  const viewport = useRef<HTMLOListElement>(null)
  // A popover lies above an open dialog only if it was shown after the dialog, so it is shown again for each toast and
  // dialog. Not every browser supports popovers.
  useLayoutEffect(() => {
    const place = viewport.current
    place?.hidePopover?.()
    // The viewport may have been removed together with a dialog. `useOpenDialog` then finds the next place at once.
    if (!shown || !place?.isConnected) return
    place.showPopover?.()
    place.toggleAttribute('data-raised', false)
    place.toggleAttribute('data-raised', covers(place, document.activeElement))
  }, [shown, dialog])
  return (
    <RadixToast.Provider swipeDirection="right" swipeThreshold={50} label="Notification">
      {shown && (
        <RadixToast.Root
          key={shown.id}
          data-swipe="own-right"
          duration={shown.durationMs}
          onOpenChange={(open) => {
            if (!open) toasts.dismiss(shown.id)
          }}
          className={cx(
            'flex items-start gap-3 rounded-2xl border px-4 py-3 text-sm shadow-lg',
            shown.variant === 'destructive'
              ? 'border-danger/40 bg-danger-soft text-danger'
              : 'border-line bg-surface text-ink',
          )}
        >
          <div className="min-w-0 flex-1">
            <RadixToast.Title className="font-semibold">{shown.title}</RadixToast.Title>
            {shown.description && (
              <RadixToast.Description className="wrap-anywhere opacity-90">
                {shown.description}
              </RadixToast.Description>
            )}
          </div>
          <RadixToast.Close
            aria-label="Dismiss"
            className="-m-3 inline-flex size-11 shrink-0 items-center justify-center rounded-full opacity-70 hover:opacity-100"
          >
            <CloseIcon size={18} />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <Inside dialog={dialog}>
        <RadixToast.Viewport
          ref={viewport}
          popover="manual"
          hotkey={['F8']}
          className="toasts fixed z-50 m-0 flex size-auto list-none flex-col gap-2 overflow-visible border-0 bg-transparent p-2"
        />
      </Inside>
    </RadixToast.Provider>
  )
}

/** An open dialog makes everything outside of it inert, so a toast there could not be dismissed. */
const Inside = ({ dialog, children }: { dialog: Element | null; children: ReactNode }) =>
  dialog ? createPortal(children, dialog) : children

const topDialog = () => [...document.querySelectorAll('dialog[open]')].at(-1) ?? null

/** Returns the topmost open dialog, and follows changes while a toast is on the screen. */
function useOpenDialog(isFollowed: boolean): Element | null {
  const [dialog, setDialog] = useState<Element | null>(null)
  useLayoutEffect(() => {
    if (!isFollowed) return
    const update = () => setDialog(topDialog())
    update()
    const changes = new MutationObserver(update)
    changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })
    return () => changes.disconnect()
  }, [isFollowed])
  return dialog?.isConnected === false ? null : dialog
}

/** Returns whether a toast lies over the focused element, such as the button that was pressed. */
function covers(place: Element, focused: Element | null): boolean {
  if (!focused || focused === document.body || place.contains(focused)) return false
  const [toast, control] = [place.getBoundingClientRect(), focused.getBoundingClientRect()]
  return (
    control.left < toast.right &&
    toast.left < control.right &&
    control.top < toast.bottom &&
    toast.top < control.bottom
  )
}
