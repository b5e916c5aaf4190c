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
 * Returns handlers for one element that call back on a quick swipe to the left or right. A finger or pen may start
 * anywhere. A mouse also selects text and clicks, so its drag must start away from text and controls and select
 * nothing. The element and every scroller inside it need `touch-action: pan-y`, or the browser cancels the swipe.
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
      if (from === null || from.pointerId !== end.pointerId || !swiped(from, end)) return
      if (end.pointerType === 'mouse' && window.getSelection()?.isCollapsed === false) return
      onSwipe()
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}

/** Returns whether the target is neither text nor a control. */
export function isBackground(target: EventTarget): boolean {
  if (!(target instanceof Element) || target.closest(controls) !== null) return false
  return ![...target.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
}

/** Returns whether a movement is long enough, quick, and goes to the left or right. */
export function isSwipe(byX: number, byY: number, ms: number): boolean {
  const across = Math.abs(byX)
  return across >= minDistancePx && across > Math.abs(byY) && ms <= maxDurationMs
}

const swiped = (from: SwipePoint, to: SwipePoint) =>
  isSwipe(to.clientX - from.clientX, to.clientY - from.clientY, to.timeStamp - from.timeStamp)
