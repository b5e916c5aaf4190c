const offsetsPx = [0, -6, 6, -6, 6, -6, 6, 0]

/** Says "not taken" without a word: a short shake and vibration, neither when the person asked for less motion. */
export function shake(element: Element | null): void {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element?.animate(
    offsetsPx.map((x) => ({ transform: `translateX(${x}px)` })),
    { duration: 240 },
  )
  navigator.vibrate?.(30)
}
