const answerWithinMs = 5000
const workerAnswersWithinMs = 1000
const entryPattern = /\/assets\/a-[\w-]+\.js/

/** The script that started this page. Each release has another one. */
const ownEntry = (): string | undefined =>
  document.querySelector('script[type=module][src]')?.getAttribute('src') ?? undefined

/** Whether the page at an address belongs to this release; `none` without an answer. */
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

/** Returns which release the server has; the service worker does not answer for this file. */
export const releaseOfServer = () => releaseAt('/index.html')

/** Returns the release of the next page, which the service worker may answer from its cache. */
export const releaseOfNextPage = () => releaseAt('/')

/** Opens the server's page instead of the service worker's copy, if the server answers. */
export async function openNewest(open = () => window.location.reload()): Promise<void> {
  await tellWorker()
  open()
}

/** Resolves when the service worker no longer answers with its own page. */
async function tellWorker(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!workers?.controller) return
  const answered = new Promise((resolve) => workers.addEventListener('message', resolve, { once: true }))
  workers.controller.postMessage('newest')
  await Promise.race([answered, new Promise((resolve) => window.setTimeout(resolve, workerAnswersWithinMs))])
}
