import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Root } from './app/Root.tsx'
import { RootBoundary } from './app/RootBoundary.tsx'
import { applyTheme } from './features/calculator/preferences.ts'
import { calculatorFace } from './features/cover/calculator-face.tsx'
import { installCover } from './features/cover/cover.ts'
import { arrival } from './features/lock/arrival.ts'
import { isKnownDevice } from './features/session/known-device.ts'
import { registerOfflineWorker } from './offline/register.ts'
import { isCalculatorPath } from './shared/lib/calculator-path.ts'
import './styles.css'

// A page restored from the back/forward cache still holds its old state: reload it.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
applyTheme()
if (isKnownDevice() && isCalculatorPath(window.location.pathname)) arrival.arm()
if (import.meta.env.PROD) registerOfflineWorker()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RootBoundary>
      <Root />
    </RootBoundary>
  </StrictMode>,
)
installCover(calculatorFace())
