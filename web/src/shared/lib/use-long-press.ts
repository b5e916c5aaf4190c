import { useEffect, useRef, useState } from 'react'
import type { MouseEvent, PointerEvent, TouchEvent } from 'react'

const holdMs = 500
const slopPx = 10
/** A click that follows the end of a long press comes within this time. */
const clickWithinMs = 400

interface Hold {
  pointerType: string
  x: number
  y: number
  timer: number
  isLong: boolean
}

export interface LongPressOptions {
  /**
   * These mouse actions count in addition to a press by finger or pen. The right button includes the keyboard's menu
   * key.
   */
  mouse?: 'hold or right button' | 'right button' | 'nothing'
  /**
   * `held` calls back as soon as the press is long enough. A callback that uses the clipboard needs `lifted`, because
   * browsers give access only when the finger is lifted.
   */
  when?: 'held' | 'lifted'
  /** Whether this code handles a press; otherwise the browser does. */
  isOurs?: (event: MouseEvent) => boolean
}

/**
 * Returns handlers for an element that is held for half a second or clicked with the right button. A shorter touch
 * remains a click; the end of a long one is not a click.
 */
export function useLongPress(
  onLongPress: (event: MouseEvent) => void,
  { mouse = 'hold or right button', when = 'lifted', isOurs = () => true }: LongPressOptions = {},
) {
  const hold = useRef<Hold | null>(null)
  const wasLong = useRef(false)
  const clickTimer = useRef(0)
  const [isHeld, setIsHeld] = useState(false)
  const end = () => {
    if (hold.current) window.clearTimeout(hold.current.timer)
    hold.current = null
    setIsHeld(false)
  }
  useEffect(
    () => () => {
      window.clearTimeout(hold.current?.timer)
      window.clearTimeout(clickTimer.current)
    },
    [],
  )
  return {
    /** Whether the element is being held and the press is already long enough. */
    isHeld,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const { pointerType, isPrimary, button, clientX, clientY } = event
        end()
        wasLong.current = false
        const counts = pointerType !== 'mouse' || mouse === 'hold or right button'
        if (!isPrimary || button !== 0 || !counts || !isOurs(event)) return
        const onLong = () => {
          if (hold.current) hold.current.isLong = true
          setIsHeld(true)
          if (when === 'held') onLongPress(event)
        }
        const timer = window.setTimeout(onLong, holdMs)
        hold.current = { pointerType, x: clientX, y: clientY, timer, isLong: false }
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        if (!hold.current) return
        if (Math.hypot(clientX - hold.current.x, clientY - hold.current.y) > slopPx) end()
      },
      onPointerUp: (event: PointerEvent) => {
        wasLong.current = hold.current?.isLong === true
        end()
        if (!wasLong.current) return
        window.clearTimeout(clickTimer.current)
        clickTimer.current = window.setTimeout(() => (wasLong.current = false), clickWithinMs)
        if (when === 'lifted') onLongPress(event)
      },
      onTouchEnd: (event: TouchEvent) => {
        // This prevents the click and the mouse events before it, which would move the focus.
        if (when === 'held' && wasLong.current) event.preventDefault()
      },
      onPointerCancel: end,
      onPointerLeave: end,
      onContextMenu: (event: MouseEvent) => {
        // A held finger fires this event, too, but the timer reports its long press.
        const isTouched = hold.current !== null && hold.current.pointerType !== 'mouse'
        if ((!isTouched && mouse === 'nothing') || !isOurs(event)) return
        event.preventDefault()
        if (!isTouched) onLongPress(event)
      },
      /** The click at the end of a long press has no effect. */
      onClickCapture: (event: MouseEvent) => {
        if (!wasLong.current || event.detail === 0) return
        wasLong.current = false
        event.preventDefault()
        event.stopPropagation()
      },
    },
  }
}
