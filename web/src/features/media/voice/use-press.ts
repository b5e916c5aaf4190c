import { useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'
import type { Presses } from './presses.ts'

const shortMs = 400
/** Releasing the pointer farther than this outside of the button cancels the press. */
const slackPx = 48
/** Sliding this far against the direction of reading cancels the press. */
const slidePx = 80

export interface PressOptions {
  presses: Presses
  onPress: () => void
  onRelease: (wasShort: boolean) => void
  onCancel: () => void
  /** Called when Enter, Space, or a screen reader's tap activates the button. */
  onActivate: () => void
}

/**
 * Returns the handlers of a button that is held or tapped. Sliding back, or releasing the pointer elsewhere, cancels.
 */
export function usePress({ presses, onPress, onRelease, onCancel, onActivate }: PressOptions) {
  const start = useRef<{ x: number; atMs: number } | null>(null)
  const wasPointer = useRef(false)
  const end = (then: () => void) => {
    if (!start.current) return
    start.current = null
    then()
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // A quick slide on the button must not start the swipe that leaves the chat.
      event.stopPropagation()
      wasPointer.current = true
      if (!event.isPrimary || event.button !== 0 || presses.isSecondTap()) return
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
    // The system's prompt for the microphone cancels the touch, so a cancelled touch counts as a release.
    onPointerCancel: ({ timeStamp }: PointerEvent<HTMLElement>) => {
      const wasShort = timeStamp - (start.current?.atMs ?? 0) < shortMs
      end(() => onRelease(wasShort))
    },
    onKeyDown: () => {
      // No click follows a press that slid away, so `wasPointer` may still be true when a key is pressed.
      wasPointer.current = false
    },
    onClick: () => {
      if (!wasPointer.current) onActivate()
      wasPointer.current = false
    },
    /** The browser would open its menu on a long press. */
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  }
}

function isNear({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  const isBeside = clientX < left - slackPx || clientX > right + slackPx
  return !isBeside && clientY >= top - slackPx && clientY <= bottom + slackPx
}
