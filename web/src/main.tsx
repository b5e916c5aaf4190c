import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createEntry } from './app/create-entry.ts'
import { mountCoverCalculator } from './app/CoverCalculator.tsx'
import { Root } from './app/Root.tsx'
import { RootBoundary } from './app/RootBoundary.tsx'
import { endEarlyKeys } from './features/calculator/early-keys.ts'
import { handedOver } from './features/calculator/handed-over.ts'
import { startingCalculator } from './features/calculator/use-kept-history.ts'
import { isKnownDevice } from './features/device/known-device.ts'
import { OpenedLinkContext, takeOpenedLink, watchOpenedLinks } from './features/device/opened-link.ts'
import { applyTheme, PreferencesContext } from './features/device/preferences.ts'
import { registerOfflineWorker } from './features/device/register.ts'
import { calculatorFace } from './features/lock/calculator-face.tsx'
import { watchFlight } from './features/lock/watch-flight.ts'
import { isAtCalculator } from './shared/lib/calculator-path.ts'
import { watchPointerFocus } from './shared/lib/pointer-focus.ts'
import './styles.css'

// A page restored from the back/forward cache still holds its old state, so it is reloaded.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
const entry = createEntry()
const { location, place, cover, flight, early, preferences, arrival } = entry
if (!isAtCalculator()) {
  place.loadInside({ isByHistory: location.isByHistory() })
  endEarlyKeys(false)
}
watchFlight({ place: place.kind, flee: flight.flee })
applyTheme(preferences.get())
const typed = handedOver.take(startingCalculator(preferences))
if (typed) early.keep(typed)
watchPointerFocus()
const openedLink = takeOpenedLink(location)
watchOpenedLinks(location)
if (isKnownDevice() && isAtCalculator()) arrival.arm()
if (import.meta.env.PROD) registerOfflineWorker(location)

// React itself refuses a missing element.
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <PreferencesContext value={preferences}>
      <RootBoundary>
        <OpenedLinkContext value={openedLink}>
          <Root entry={entry} />
        </OpenedLinkContext>
      </RootBoundary>
    </PreferencesContext>
  </StrictMode>,
)
cover.install(calculatorFace(), (box) => mountCoverCalculator(box, entry))
