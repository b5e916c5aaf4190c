import type { ReactNode } from 'react'

/** Shows a bar at the bottom of a screen. Toasts stay above the bar as it grows. */
export function BottomBar({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <div ref={raiseToasts} className={`shrink-0 ${className}`}>
      {children}
    </div>
  )
}

function raiseToasts(bar: HTMLElement | null) {
  if (!bar) return undefined
  const { style } = document.documentElement
  const sizes = new ResizeObserver(() => style.setProperty('--bottom-bar', `${bar.offsetHeight}px`))
  sizes.observe(bar)
  return () => {
    sizes.disconnect()
    style.removeProperty('--bottom-bar')
  }
}
