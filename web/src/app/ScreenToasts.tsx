import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { isCalculatorPath } from '../shared/lib/calculator-path.ts'
import { usePage } from '../page.ts'

/** Dismisses a screen's toast when the person leaves the screen, because it would reveal the app on the calculator. */
export function ScreenToasts() {
  const { leaveScreen } = usePage().toasts
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useLayoutEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    leaveScreen(isCalculatorPath(pathname))
  }, [pathname, leaveScreen])
  return null
}
