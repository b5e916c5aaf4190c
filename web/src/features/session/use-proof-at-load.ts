import { useEffect } from 'react'
import { proofWithinMs } from '../lock/proof.ts'
import { isKnownDevice } from '../device/known-device.ts'
import { usePage } from '../../page.ts'

/**
 * A page that was loaded behind the calculator needs the server's answer about the session within four seconds of its
 * load. Without it, the page goes to the calculator and owes a lock.
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
