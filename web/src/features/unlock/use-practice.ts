import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { usePage } from '../../page.ts'
import type { NewToast } from '../../shared/ui/toasts.ts'

/** Shows the short notices of the calculator. */
export interface Announcer {
  show: (notice: NewToast) => void
  dismiss: () => void
}

const shownMs = 5000

/**
 * Manages the practice of the unlock after the set-up, until the person stops it. The practice card shows the notices,
 * because a toast would cover it.
 */
export function usePractice() {
  const { toasts } = usePage()
  const { state } = useLocation() as { state: { practice?: boolean } | null }
  const [isPractising, setIsPractising] = useState(state?.practice === true)
  const [notice, setNotice] = useState<NewToast | null>(null)
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const card = useMemo<Announcer>(() => {
    const change = (next: NewToast | null) => {
      window.clearTimeout(timer.current)
      setNotice(next)
    }
    return {
      show: (next) => {
        change(next)
        timer.current = window.setTimeout(() => setNotice(null), next.durationMs ?? shownMs)
      },
      dismiss: () => change(null),
    }
  }, [])
  const onScreen = useMemo<Announcer>(() => ({ show: toasts.toast, dismiss: toasts.dismissToast }), [toasts])
  return {
    isPractising,
    notice,
    announcer: isPractising ? card : onScreen,
    stop: () => setIsPractising(false),
  }
}
