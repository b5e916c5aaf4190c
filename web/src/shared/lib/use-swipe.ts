import { useRef } from 'react'
import type { PointerEvent } from 'react'

const minDistancePx = 70
const maxDurationMs = 600
const controls = 'a, button, input, textarea, select'

export type SwipePoint = Pick<
  PointerEvent,
  'pointerId' | 'pointerType' | 'isPrimary' | 'clientX' | 'clientY' | 'timeStamp' | 'target'
>

export interface SwipeHandlers {
  onPointerDown: (event: SwipePoint) => void
  onPointerUp: (event: SwipePoint) => void
  onPointerCancel: () => void
}

/**
 * Handlers for one element: calls back on a quick swipe to the left or right. A finger or pen may start anywhere. A
 * mouse also selects text and clicks: its drag must start beside text and controls, and select nothing. The element and
 * every scroller inside it need `touch-action: pan-y`, or the browser cancels the swipe.
 */
export function useSwipe(onSwipe: () => void): SwipeHandlers {
  const start = useRef<SwipePoint | null>(null)
  return {
    onPointerDown: ({ pointerId, pointerType, isPrimary, clientX, clientY, timeStamp, target }) => {
      const isOurs = isPrimary && (pointerType !== 'mouse' || isBackground(target))
      start.current = isOurs
        ? { pointerId, pointerType, isPrimary, clientX, clientY, timeStamp, target }
        : null
    },
    onPointerUp: (end) => {
      const from = start.current
      start.current = null
      if (from === null || from.pointerId !== end.pointerId || !isSwipe(from, end)) return
      if (end.pointerType === 'mouse' && window.getSelection()?.isCollapsed === false) return
      onSwipe()
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}

function isBackground(target: EventTarget): boolean {
  if (!(target instanceof Element) || target.closest(controls) !== null) return false
  return ![...target.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
}

function isSwipe(from: SwipePoint, to: SwipePoint): boolean {
  const across = Math.abs(to.clientX - from.clientX)
  const along = Math.abs(to.clientY - from.clientY)
  return across >= minDistancePx && across > along && to.timeStamp - from.timeStamp <= maxDurationMs
}
