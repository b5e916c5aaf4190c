import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { usePage } from '../../page.ts'
import type { NewToast } from '../../shared/ui/toasts.ts'

/** The calculator shows its short notices here. */
export interface Announcer {
  show: (notice: NewToast) => void
  dismiss: () => void
}

const shownMs = 5000

/**
 * The person practises the unlock from the set-up until they stop the practice. The practice card shows the notices,
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
