import { useEffect, useLayoutEffect, useRef } from 'react'
import { useBackdrop } from '../../shared/lib/use-backdrop.ts'
import { usePage } from '../../page.ts'
import { copyWithToast } from '../../shared/ui/copy-with-toast.ts'
import { CopyIcon } from '../../shared/ui/icons.tsx'

export interface OpenMenu {
  message: HTMLElement
  x: number
  y: number
}

export interface MessageActionsProps extends OpenMenu {
  onClose: () => void
}

const widthPx = 160
const heightPx = 60

/** Shows the menu of a message at a point of the window. */
export function MessageActions({ message, x, y, onClose }: MessageActionsProps) {
  const { toasts } = usePage()
  const item = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => item.current?.focus({ preventScroll: true }), [])
  const backdrop = useBackdrop(onClose)
  useEffect(() => {
    const { innerWidth } = window
    // Moving the focus here closes a touch keyboard, which changes the height only. A rotation changes the width.
    const onResize = () => window.innerWidth !== innerWidth && onClose()
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  })
  const copy = () => {
    onClose()
    const shown = message.querySelector<HTMLElement>('[dir=auto]')
    void copyWithToast(toasts, { text: shown?.textContent ?? '', shown })
  }
  return (
    <div className="fixed inset-0 z-20" onContextMenu={(event) => event.preventDefault()} {...backdrop}>
      <div
        role="menu"
        aria-label="Message"
        className="absolute min-w-40 rounded-xl border border-line bg-surface p-1 shadow-lg"
        style={{
          left: Math.max(8, Math.min(x, window.innerWidth - widthPx - 8)),
          top: Math.max(8, Math.min(y, window.innerHeight - heightPx - 8)),
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Tab') return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      >
        <button
          ref={item}
          type="button"
          role="menuitem"
          className="flex min-h-11 w-full items-center gap-3 rounded-lg px-3 hover:bg-surface-2"
          onClick={copy}
        >
          <CopyIcon size={18} />
          Copy
        </button>
      </div>
    </div>
  )
}
