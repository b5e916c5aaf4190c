import { useRef } from 'react'
import type { PointerEvent } from 'react'

const minDistancePx = 70
const maxDurationMs = 600

export type SwipePoint = Pick<PointerEvent, 'pointerId' | 'isPrimary' | 'clientX' | 'clientY' | 'timeStamp'>

export interface SwipeHandlers {
  onPointerDown: (event: SwipePoint) => void
  onPointerUp: (event: SwipePoint) => void
  onPointerCancel: () => void
}

/**
 * Handlers for one element: calls back on a quick sideways stroke, left or right.
 * The element needs `touch-action: pan-y`, or the browser takes the stroke for itself and cancels it.
 */
export function useSwipe(onSwipe: () => void): SwipeHandlers {
  const start = useRef<SwipePoint | null>(null)
  return {
    onPointerDown: ({ pointerId, isPrimary, clientX, clientY, timeStamp }) => {
      start.current = isPrimary ? { pointerId, isPrimary, clientX, clientY, timeStamp } : null
    },
    onPointerUp: (end) => {
      const from = start.current
      start.current = null
      if (from !== null && from.pointerId === end.pointerId && isSwipe(from, end)) onSwipe()
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}

function isSwipe(from: SwipePoint, to: SwipePoint): boolean {
  const across = Math.abs(to.clientX - from.clientX)
  const along = Math.abs(to.clientY - from.clientY)
  return across >= minDistancePx && across > along && to.timeStamp - from.timeStamp <= maxDurationMs
}
