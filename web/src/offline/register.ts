/** Installs the worker that opens the calculator without a network. Each load checks for a newer one. */
export function registerOfflineWorker(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  window.addEventListener('load', () => {
    workers?.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
  })
}
