import { createEarlyEntry } from '../features/calculator/early-entry.ts'
import { createHands } from '../features/device/hands.ts'
import { createPageLocation } from '../features/device/page-location.ts'
import { createPreferences } from '../features/device/preferences.ts'
import { deviceStorage } from '../features/device/safe-storage.ts'
import { createArrival } from '../features/lock/arrival.ts'
import { createCover } from '../features/lock/cover.ts'
import { createFlight } from '../features/lock/flight.ts'
import { createPlace } from '../features/lock/place.ts'

/** Creates the objects of the first page. The app that replaces the first page continues with the same objects. */
export function createEntry() {
  const location = createPageLocation()
  const hands = createHands()
  const arrival = createArrival(deviceStorage)
  const cover = createCover({ location, hands })
  const place = createPlace(cover.arrive)
  return {
    location,
    hands,
    arrival,
    place,
    cover,
    early: createEarlyEntry(),
    preferences: createPreferences(deviceStorage),
    flight: createFlight({ location, arrival, place, cover }),
  }
}

export type Entry = ReturnType<typeof createEntry>
