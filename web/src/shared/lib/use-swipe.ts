import { useRef } from 'react'
import type { PointerEvent } from 'react'

const minDistancePx = 70
const maxDurationMs = 600

export interface SwipeHandlers {
  onPointerDown: (event: PointerEvent) => void
  onPointerUp: (event: PointerEvent) => void
}

/** Calls back after a movement to the left or right of 70 px at least within 600 ms, more sideways than up or down. */
export function useSwipe(onSwipe: (direction: 'left' | 'right') => void): SwipeHandlers {
  const start = useRef<{ x: number; y: number; at: number } | null>(null)
  return {
    onPointerDown: (event) => {
      start.current = { x: event.clientX, y: event.clientY, at: event.timeStamp }
    },
    onPointerUp: (event) => {
      const from = start.current
      start.current = null
      if (!from || event.timeStamp - from.at > maxDurationMs) return
      const x = event.clientX - from.x
      const y = event.clientY - from.y
      if (Math.abs(x) >= minDistancePx && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 'left' : 'right')
    },
  }
}
