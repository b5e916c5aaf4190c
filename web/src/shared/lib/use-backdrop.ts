import { useRef } from 'react'
import type { MouseEvent, PointerEvent } from 'react'

/**
 * Handlers of a layer over the page: calls back on a click beside what it shows. Not before the click, which would then
 * reach what lies beneath, and not at the end of a drag that began inside.
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
