import { page } from '../device/page.ts'
import { cover } from './cover.ts'
import { arrival } from './arrival.ts'
import { isKnownDevice } from '../device/known-device.ts'
import { place } from './place.ts'

/** What a flight does; each way begins with the cover. */
export function createFlight() {
  const leave = () => {
    if (page.canReplace()) page.replace('/')
    else place.goToCalculator()
  }
  let lockAndLeave = () => {
    arrival.owe()
    leave()
  }

  return {
    /** Closes what is open; until the app is loaded, the next page sends the recorded lock. */
    onInner: (close: () => void): void => {
      lockAndLeave = close
    },
    flee: (): void => {
      const from = place.kind()
      if (from === 'calculator' || cover.isLive()) return
      if (from === 'set-up') {
        cover.takeKeys(true)
        place.cancelSetUp()
        return
      }
      const stays = !page.canReplace()
      cover.takeKeys(stays)
      if (from === 'public' || !isKnownDevice()) leave()
      else {
        lockAndLeave()
        if (stays) place.goToCalculator()
      }
    },
  }
}

export const flight = createFlight()
