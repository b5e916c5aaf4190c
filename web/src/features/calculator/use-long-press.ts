import { useEffect, useRef, useState } from 'react'
import type { MouseEvent, PointerEvent } from 'react'

const holdMs = 500
const slopPx = 10

interface Hold {
  pointerType: string
  x: number
  y: number
  timer: number
  isLong: boolean
}

/**
 * Handlers of an element that is held for half a second, or clicked with the right button. They call back when the
 * finger is lifted, because browsers give access to the clipboard only then. A shorter touch remains a click.
 */
export function useLongPress(onLongPress: () => void, { withMouse = true } = {}) {
  const hold = useRef<Hold | null>(null)
  const wasLong = useRef(false)
  const [isHeld, setIsHeld] = useState(false)
  const end = () => {
    if (hold.current) window.clearTimeout(hold.current.timer)
    hold.current = null
    setIsHeld(false)
  }
  useEffect(() => () => window.clearTimeout(hold.current?.timer), [])
  return {
    /** Held long enough: lifting the finger now calls back. */
    isHeld,
    handlers: {
      onPointerDown: ({ pointerType, isPrimary, button, clientX, clientY }: PointerEvent) => {
        end()
        wasLong.current = false
        if (!isPrimary || button !== 0 || (pointerType === 'mouse' && !withMouse)) return
        const onLong = () => {
          if (hold.current) hold.current.isLong = true
          setIsHeld(true)
        }
        const timer = window.setTimeout(onLong, holdMs)
        hold.current = { pointerType, x: clientX, y: clientY, timer, isLong: false }
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        if (!hold.current) return
        if (Math.hypot(clientX - hold.current.x, clientY - hold.current.y) > slopPx) end()
      },
      onPointerUp: () => {
        wasLong.current = hold.current?.isLong === true
        end()
        if (wasLong.current) onLongPress()
      },
      onPointerCancel: end,
      onPointerLeave: end,
      onContextMenu: (event: MouseEvent) => {
        // A held finger opens a menu, too: its long press is reported when it is lifted.
        const isTouched = hold.current !== null && hold.current.pointerType !== 'mouse'
        if (isTouched || withMouse) event.preventDefault()
        if (!isTouched && withMouse) onLongPress()
      },
      /** The click that ends a long press means nothing. */
      onClickCapture: (event: MouseEvent) => {
        if (!wasLong.current || event.detail === 0) return
        wasLong.current = false
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}
