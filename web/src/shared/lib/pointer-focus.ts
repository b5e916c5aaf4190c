const navigationKeys: ReadonlySet<string> = new Set([
  'Tab',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'F6',
  'F8',
])

/**
 * Marks the page while it is used by pointer. Browsers show a focus ring when a script moves the focus, for example
 * into a dialog, even to people who touch the screen. The first key that moves the focus brings the rings back.
 */
export function watchPointerFocus(root = document.documentElement): void {
  const isPointer = (value: boolean) => root.toggleAttribute('data-pointer', value)
  isPointer(window.matchMedia('(pointer: coarse)').matches)
  window.addEventListener('pointerdown', () => isPointer(true), { capture: true, passive: true })
  window.addEventListener('keydown', ({ key }) => navigationKeys.has(key) && isPointer(false), {
    capture: true,
  })
}
