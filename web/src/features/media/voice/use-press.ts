import { useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'

const shortMs = 400
/** Letting go this far outside of the button cancels. */
const slackPx = 48
/** Sliding back this far cancels. */
const slidePx = 80

export interface PressOptions {
  onPress: () => void
  onRelease: (wasShort: boolean) => void
  onCancel: () => void
  /** Enter, Space, or a screen reader's tap activates the button. */
  onActivate: () => void
}

/** Handlers of a button that is held or tapped. Sliding sideways, or letting go elsewhere, cancels. */
export function usePress({ onPress, onRelease, onCancel, onActivate }: PressOptions) {
  const start = useRef<{ x: number; atMs: number } | null>(null)
  const wasPointer = useRef(false)
  const end = (then: () => void) => {
    if (!start.current) return
    start.current = null
    then()
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // A quick slide belongs to the button, so it must not leave the chat.
      event.stopPropagation()
      wasPointer.current = true
      if (!event.isPrimary || event.button !== 0) return
      event.currentTarget.setPointerCapture?.(event.pointerId)
      start.current = { x: event.clientX, atMs: event.timeStamp }
      onPress()
    },
    onPointerMove: ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
      if (!start.current) return
      const isRtl = getComputedStyle(currentTarget).direction === 'rtl'
      const back = (start.current.x - clientX) * (isRtl ? -1 : 1)
      if (back >= slidePx) end(onCancel)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const wasShort = event.timeStamp - (start.current?.atMs ?? 0) < shortMs
      end(isNear(event) ? () => onRelease(wasShort) : onCancel)
    },
    // The system's prompt for the microphone interrupts the touch, too.
    onPointerCancel: ({ timeStamp }: PointerEvent<HTMLElement>) => {
      const wasShort = timeStamp - (start.current?.atMs ?? 0) < shortMs
      end(() => onRelease(wasShort))
    },
    onKeyDown: () => {
      // A press that slid away is not followed by a click.
      wasPointer.current = false
    },
    onClick: () => {
      if (!wasPointer.current) onActivate()
      wasPointer.current = false
    },
    /** A held finger would open the browser's menu. */
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  }
}

function isNear({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  const isBeside = clientX < left - slackPx || clientX > right + slackPx
  return !isBeside && clientY >= top - slackPx && clientY <= bottom + slackPx
}
