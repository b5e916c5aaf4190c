/** Has no controller before its first activation. */
const tell = (order: 'more' | 'less'): void => {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  workers?.ready.then(
    ({ active }) => active?.postMessage(order),
    () => undefined,
  )
}

/** Whether the worker keeps the app behind the first page. Only a known device does. */
export const offlineApp = {
  keep: (): void => tell('more'),
  drop: (): void => tell('less'),
}
