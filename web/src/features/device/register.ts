import type { PageLocation } from './page-location.ts'
import { releaseOfNextPage } from './newest-page.ts'
import { replaceWhenUnused } from './replace-unused.ts'

const lookEveryMs = 60 * 60_000

/**
 * Installs the service worker, which opens the calculator without a network, and replaces a page whose release is out
 * of date. The page looks for a newer worker at each load (a browser skips some), at each return to the page, when the
 * network returns, and every hour.
 */
export function registerOfflineWorker(location: PageLocation): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!workers) return
  const look = () => {
    if (!document.hidden)
      void workers.getRegistration().then((registration) => registration?.update(), undefined)
  }
  window.addEventListener('load', () => {
    workers.register('/sw.js', { updateViaCache: 'none' }).then(look, () => undefined)
  })
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', look)
  window.setInterval(look, lookEveryMs)
  workers.addEventListener('controllerchange', () => {
    void releaseOfNextPage().then((release) => {
      if (release === 'newer') replaceWhenUnused(() => location.replace('/'))
    })
  })
}
