import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useEffect, useRef } from 'react'
import { useProbePinMutation } from '../session/session-api.ts'

export interface SilentCheckInput {
  /** These digits were typed since the last clear; the text is empty if any other key was pressed. */
  digits: string
  /** False if there is no session or no number to check for. */
  isAllowed: boolean
  onHint: () => void
}

/**
 * Checks an entry with the server while it is typed: after a pause, each text once, until one is right. `onHint` is
 * called at most once.
 */
export function useSilentCheck({ digits, isAllowed, onHint }: SilentCheckInput): void {
  const [probe] = useProbePinMutation()
  const checked = useRef(new Set<string>())
  const wasRight = useRef(false)
  const isOver = useRef(false)

  useEffect(() => {
    if (digits === '') {
      checked.current.clear()
      wasRight.current = false
      return
    }
    const fits = digits.length >= limits.pinMinLength && digits.length <= limits.pinMaxLength
    if (!isAllowed || isOver.current || wasRight.current || !fits || checked.current.has(digits)) return
    const timer = window.setTimeout(() => {
      checked.current.add(digits)
      probe({ numericPassword: digits })
        .unwrap()
        .then(
          ({ hint }) => {
            wasRight.current = true
            if (!hint) return
            isOver.current = true
            onHint()
          },
          () => undefined,
        )
    }, limits.silentCheckDebounceMs)
    return () => window.clearTimeout(timer)
  }, [digits, isAllowed, onHint, probe])
}
