import type { HTMLAttributes } from 'react'

/** Shows the heading of a screen. It takes the focus if a navigation has removed the focused element. */
export function ScreenTitle({ children, ...rest }: HTMLAttributes<HTMLHeadingElement>) {
  return (
    <h1 ref={takeLostFocus} tabIndex={-1} {...rest}>
      {children}
    </h1>
  )
}

function takeLostFocus(heading: HTMLHeadingElement | null): void {
  if (document.activeElement === document.body) heading?.focus({ preventScroll: true })
}

export const focusScreenTitle = (): void => document.querySelector('h1')?.focus({ preventScroll: true })
