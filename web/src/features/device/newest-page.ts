const answerWithinMs = 5000
const workerAnswersWithinMs = 1000
const entryPattern = /\/assets\/a-[\w-]+\.js/

/** The script that started this page; each release has another. */
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

/** What the server has; the worker does not answer for this file. */
export const releaseOfServer = () => releaseAt('/index.html')

/** What the next page will be from: the worker answers with the page that it has kept. */
export const releaseOfNextPage = () => releaseAt('/')

/** Opens a page that comes from the server, if it answers, and not from the worker. */
export async function openNewest(open = () => window.location.reload()): Promise<void> {
  await tellWorker()
  open()
}

/** Resolves when the worker no longer answers with its own page. */
async function tellWorker(): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!workers?.controller) return
  const answered = new Promise((resolve) => workers.addEventListener('message', resolve, { once: true }))
  workers.controller.postMessage('newest')
  await Promise.race([answered, new Promise((resolve) => window.setTimeout(resolve, workerAnswersWithinMs))])
}
