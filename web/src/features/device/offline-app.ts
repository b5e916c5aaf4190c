/** Waits until the worker is ready, because a page has no controller before the worker's first activation. */
const tell = (order: 'more' | 'less'): void => {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  workers?.ready.then(
    ({ active }) => active?.postMessage(order),
    () => undefined,
  )
}

/** Switches whether the service worker also stores the app behind the first page. Only a known device needs this. */
export const offlineApp = {
  keep: (): void => tell('more'),
  drop: (): void => tell('less'),
}
