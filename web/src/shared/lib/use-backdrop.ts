import { useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'

/**
 * Returns handlers for a layer over the page. They call back on a click outside of the layer's content: not on the
 * press, because its click would then reach the page beneath, and not after a drag that began inside.
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
