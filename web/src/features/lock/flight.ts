import { isKnownDevice } from '../device/known-device.ts'
import type { PageLocation } from '../device/page-location.ts'
import type { Arrival } from './arrival.ts'
import type { Cover } from './cover.ts'
import type { Place } from './place.ts'

interface FlightOptions {
  location: PageLocation
  arrival: Arrival
  cover: Cover
  place: Place
}

/** Leaves the open screens at once when a person flees. Every way out begins with the cover. */
export function createFlight({ location, arrival, cover, place }: FlightOptions) {
  const leave = () => {
    if (location.canReplace()) location.replace('/')
    else place.goToCalculator()
  }
  let lockAndLeave = () => {
    arrival.owe()
    leave()
  }

  return {
    /**
     * `start-app.ts` hands over the lock of `lock-effects.ts`. Until the app is loaded, the next page sends the recorded
     * lock.
     */
    setLock: (lock: () => void): void => {
      lockAndLeave = lock
    },
    flee: (): void => {
      const from = place.kind()
      if (from === 'calculator' || cover.isLive()) return
      if (from === 'set-up') {
        cover.takeKeys(true)
        place.cancelSetUp()
        return
      }
      const stays = !location.canReplace()
      cover.takeKeys(stays)
      if (from === 'public' || !isKnownDevice()) leave()
      else {
        lockAndLeave()
        if (stays) place.goToCalculator()
      }
    },
  }
}
