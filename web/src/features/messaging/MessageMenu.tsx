import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import { useBackdrop } from '../../shared/lib/use-backdrop.ts'
import { useLongPress } from '../../shared/lib/use-long-press.ts'
import { copyWithToast } from '../../shared/ui/copy-with-toast.ts'
import { CopyIcon } from '../../shared/ui/icons.tsx'

interface MessageMenuProps {
  scroller: RefObject<HTMLElement | null>
  children: ReactNode
}

interface OpenMenu {
  message: HTMLElement
  x: number
  y: number
}

const messageOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('article') : null

/** A link keeps the browser's menu, and so does selected text. */
const isOurs = ({ target }: MouseEvent) =>
  messageOf(target) !== null &&
  !(target as Element).closest('a') &&
  window.getSelection()?.isCollapsed !== false

/** Opens a menu for the message under a right click, a long press or, from the keyboard, the menu key. */
export function MessageMenu({ scroller, children }: MessageMenuProps) {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const onLongPress = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const message = messageOf(target)
    if (message) setMenu({ message, x, y })
  }
  const { handlers } = useLongPress(onLongPress, { mouse: 'right button', when: 'held', isOurs })
  return (
    <div className="min-h-0 flex-1" {...handlers}>
      {children}
      {menu && (
        <Menu
          {...menu}
          onClose={() => {
            setMenu(null)
            if (menu.message.isConnected) menu.message.focus({ preventScroll: true })
            else scroller.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}

const widthPx = 160
const heightPx = 60

function Menu({ message, x, y, onClose }: OpenMenu & { onClose: () => void }) {
  const item = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => item.current?.focus({ preventScroll: true }), [])
  const backdrop = useBackdrop(onClose)
  useEffect(() => {
    const { innerWidth } = window
    // The keyboard, which goes as the focus moves here, changes the height only.
    const onResize = () => window.innerWidth !== innerWidth && onClose()
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  })
  const copy = () => {
    onClose()
    const shown = message.querySelector<HTMLElement>('[dir=auto]')
    void copyWithToast({ text: shown?.textContent ?? '', shown })
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
