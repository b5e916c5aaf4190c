import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { mountCoverCalculator } from './app/CoverCalculator.tsx'
import { Root } from './app/Root.tsx'
import { RootBoundary } from './app/RootBoundary.tsx'
import { earlyEntry } from './features/calculator/early-entry.ts'
import { endEarlyKeys } from './features/calculator/early-keys.ts'
import { handedOver } from './features/calculator/handed-over.ts'
import { applyTheme } from './features/device/preferences.ts'
import { startingCalculator } from './features/calculator/use-kept-history.ts'
import { calculatorFace } from './features/lock/calculator-face.tsx'
import { cover } from './features/lock/cover.ts'
import { flight } from './features/lock/flight.ts'
import { place } from './features/lock/place.ts'
import { watchFlight } from './features/lock/watch-flight.ts'
import { arrival } from './features/lock/arrival.ts'
import { isKnownDevice } from './features/device/known-device.ts'
import { registerOfflineWorker } from './features/device/register.ts'
import { isCalculatorPath } from './shared/lib/calculator-path.ts'
import { OpenedLinkContext, takeOpenedLink, watchOpenedLinks } from './features/device/opened-link.ts'
import { page } from './features/device/page.ts'
import { watchPointerFocus } from './shared/lib/pointer-focus.ts'
import './styles.css'

// A page restored from the back/forward cache still holds its old state: reload it.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
place.onArrival(cover.arrive)
if (!isCalculatorPath(window.location.pathname)) {
  place.loadInside({ isByHistory: page.isByHistory() })
  endEarlyKeys(false)
}
watchFlight({ place: place.kind, flee: flight.flee })
applyTheme()
const typed = handedOver.take(startingCalculator())
if (typed) earlyEntry.keep(typed)
watchPointerFocus()
const openedLink = takeOpenedLink()
watchOpenedLinks()
if (isKnownDevice() && isCalculatorPath(window.location.pathname)) arrival.arm()
if (import.meta.env.PROD) registerOfflineWorker()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RootBoundary>
      <OpenedLinkContext value={openedLink}>
        <Root />
      </OpenedLinkContext>
    </RootBoundary>
  </StrictMode>,
)
cover.install(calculatorFace(), mountCoverCalculator)
