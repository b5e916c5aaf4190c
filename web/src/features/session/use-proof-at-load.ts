import { useEffect } from 'react'
import { proofWithinMs } from '../lock/proof.ts'
import { isKnownDevice } from '../device/known-device.ts'
import { usePage } from '../../page.ts'

/**
 * Leaves a page that was loaded behind the calculator unless the server's answer about the session arrives within four
 * seconds of the load. The page then shows the calculator, and on a known device a lock becomes due.
 */
export function useProofAtLoad(isProven: boolean, hasFailed: boolean): void {
  const { place, lock } = usePage()
  useEffect(() => {
    if (isProven || !place.isLoadedInside() || place.kind() === 'public') return
    const giveUp = () => {
      if (!place.isLoadedInside()) return
      if (isKnownDevice()) lock.dispatch('unproven')
      place.goToCalculator()
    }
    const timer = window.setTimeout(giveUp, hasFailed ? 0 : proofWithinMs())
    return () => window.clearTimeout(timer)
  }, [isProven, hasFailed, lock, place])
}
