import * as RadixToast from '@radix-ui/react-toast'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { cx } from '../lib/cx.ts'
import { CloseIcon } from './icons.tsx'
import { toastStore } from './toast.ts'

/** The place where toasts appear: swipe right to dismiss, F8 to reach it by keyboard. */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  const viewport = useRef<HTMLOListElement>(null)
  // A popover is above an open dialog if it was shown after it. Not every browser knows popovers.
  useLayoutEffect(() => {
    viewport.current?.hidePopover?.()
    if (shown) viewport.current?.showPopover?.()
  }, [shown])
  return (
    <RadixToast.Provider swipeDirection="right" swipeThreshold={50} label="Notification">
      {shown && (
        <RadixToast.Root
          key={shown.id}
          duration={shown.durationMs}
          onOpenChange={(open) => {
            if (!open) toastStore.dismiss(shown.id)
          }}
          className={cx(
            'flex items-start gap-3 rounded-2xl border p-4 shadow-lg',
            shown.variant === 'destructive'
              ? 'border-danger/40 bg-danger-soft text-danger'
              : 'border-line bg-surface text-ink',
          )}
        >
          <div className="min-w-0 flex-1">
            <RadixToast.Title className="font-semibold">{shown.title}</RadixToast.Title>
            {shown.description && (
              <RadixToast.Description className="mt-0.5 text-sm wrap-anywhere opacity-90">
                {shown.description}
              </RadixToast.Description>
            )}
          </div>
          <RadixToast.Close
            aria-label="Dismiss"
            className="-m-3 inline-flex size-11 items-center justify-center rounded-full opacity-70 hover:opacity-100"
          >
            <CloseIcon size={18} />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <RadixToast.Viewport
        ref={viewport}
        popover="manual"
        hotkey={['F8']}
        className="toasts fixed inset-x-0 top-auto z-50 m-0 flex size-auto list-none flex-col gap-2 overflow-visible border-0 bg-transparent p-4 sm:top-0 sm:bottom-auto sm:left-auto sm:w-96"
      />
    </RadixToast.Provider>
  )
}
