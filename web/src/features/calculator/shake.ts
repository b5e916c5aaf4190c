const offsetsPx = [0, -6, 6, -6, 6, -6, 6, 0]

/** Signals a refused key by a short shake and vibration, unless the device is set to less motion. */
export function shake(element: Element | null): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element?.animate(
    offsetsPx.map((x) => ({ transform: `translateX(${x}px)` })),
    { duration: 240 },
  )
  navigator.vibrate?.(30)
}
