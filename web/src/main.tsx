import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { RootBoundary } from './app/RootBoundary.tsx'
import { applyTheme } from './features/calculator/preferences.ts'
import { calculatorFace } from './features/cover/calculator-face.tsx'
import { installCover } from './features/cover/cover.ts'
import { watchPendingLock } from './features/lock/pending-lock.ts'
import { registerOfflineWorker } from './offline/register.ts'
import './styles.css'

// A page restored from the back/forward cache still holds its old state: reload it.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
applyTheme()
watchPendingLock()
if (import.meta.env.PROD) registerOfflineWorker()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <RootBoundary>
      <App />
    </RootBoundary>
  </StrictMode>,
)
installCover(calculatorFace())
