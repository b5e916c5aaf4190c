const answerWithinMs = 5000
const workerAnswersWithinMs = 1000
const entryPattern = /\/assets\/a-[\w-]+\.js/

/** Returns the path of the script that started this page. It differs in each release. */
const ownEntry = (): string | undefined =>
  document.querySelector('script[type=module][src]')?.getAttribute('src') ?? undefined

/** Fetches a page and compares its release with that of the open page. Returns `none` if no page arrives. */
async function releaseAt(address: string): Promise<'same' | 'newer' | 'none'> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs)
    const answer = await fetch(address, { cache: 'no-store', signal })
    const entry = answer.ok ? entryPattern.exec(await answer.text())?.[0] : undefined
    if (entry === undefined) return 'none'
    return entry === ownEntry() ? 'same' : 'newer'
  } catch {
    return 'none'
  }
}

/** Compares the open page with the server's. The service worker never answers for this file. */
export const releaseOfServer = () => releaseAt('/index.html')

/** Compares the open page with the one that a reload would open, which may come from the service worker's cache. */
export const releaseOfNextPage = () => releaseAt('/')

/** Opens the server's page instead of the service worker's copy, if the server answers. */
export async function openNewest(open = () => window.location.reload()): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (workers?.controller) await tellWorker(workers)
  // Chromium may drop the request for a page when a new worker replaces the one that answers it.
  workers?.addEventListener('controllerchange', open, { once: true })
  open()
}

/**
 * Makes the service worker fetch the next page from the server. Resolves when the worker confirms, or after a second.
 */
async function tellWorker(workers: ServiceWorkerContainer): Promise<void> {
  const answered = new Promise((resolve) => workers.addEventListener('message', resolve, { once: true }))
  workers.controller?.postMessage('newest')
  await Promise.race([answered, new Promise((resolve) => window.setTimeout(resolve, workerAnswersWithinMs))])
}
