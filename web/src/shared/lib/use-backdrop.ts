import { useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'

/**
 * Handlers of a layer over the page that call back on a click outside of its content. They wait for the click, which
 * would otherwise reach the page beneath, and ignore a drag that began inside.
 */
export function useBackdrop(onClose: () => void) {
  const isPressed = useRef(false)
  return {
    onPointerDown: ({ target, currentTarget }: PointerEvent) => {
      isPressed.current = target === currentTarget
    },
    onClick: ({ target, currentTarget }: MouseEvent) => {
      const isBeside = isPressed.current && target === currentTarget
      isPressed.current = false
      if (isBeside) onClose()
    },
  }
}
