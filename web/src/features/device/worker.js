/* global self, caches */
// This service worker opens the calculator without a network, from its own copy of the files. The build inserts the
// release and the lists of files.
const release = '__RELEASE__'
/** The page needs these files; `/` is the page itself. */
const files = ['__FILES__']
/**
 * The page may need these files later. They are stored once a page sends `more`, and at installation if an earlier
 * release had stored its own.
 */
const more = ['__MORE__']
const moreSuffix = '-2'

self.addEventListener('install', (event) => {
  // Calls past the worker are sent even if their page ends at once.
  event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' })?.catch(() => undefined)
  event.waitUntil(install())
  self.skipWaiting()
})
self.addEventListener('activate', (event) =>
  event.waitUntil(removeOldReleases().then(() => self.clients.claim())),
)

async function install() {
  const names = await caches.keys()
  try {
    const cache = await caches.open(release)
    await cache.addAll(files.map((file) => new Request(file, { cache: 'reload' })))
    if (names.some((name) => name.endsWith(moreSuffix))) await keepMore()
  } catch (error) {
    for (const name of [release, release + moreSuffix]) if (!names.includes(name)) await caches.delete(name)
    throw error
  }
}

/** Keeps the release before this one: its pages may still be open, and the server no longer has its files. */
async function removeOldReleases() {
  const names = await caches.keys()
  const before = names.filter((name) => !name.startsWith(release)).at(-1) ?? release
  const isOld = (name) => !name.startsWith(release) && !name.startsWith(before.slice(0, release.length))
  await Promise.all(names.filter(isOld).map((name) => caches.delete(name)))
}

async function keepMore() {
  const cache = await caches.open(release + moreSuffix)
  const kept = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  await cache.addAll(more.filter((file) => !kept.includes(file)))
}

async function dropMore() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.endsWith(moreSuffix)).map((name) => caches.delete(name)))
}

/**
 * This is true after a page could not load one of its files, because the next page then has to come from the server.
 */
let wantsNewest = false

self.addEventListener('message', (event) => {
  if (event.data === 'more') event.waitUntil(keepMore())
  if (event.data === 'less') event.waitUntil(dropMore())
  if (event.data === 'newest') {
    wantsNewest = true
    event.source?.postMessage('done')
  }
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    const isPage = !/^\/(?:api|ws)(?:[/-]|$)|\.[a-z0-9]+$/i.test(pathname)
    if (isPage) event.respondWith(page(request))
  } else if (files.includes(pathname) || pathname.startsWith('/assets/')) {
    event.respondWith(kept(pathname).then((response) => response ?? fetch(request)))
  }
})

const ofThisRelease = (path) => caches.match(path, { cacheName: release })
const kept = async (path) => (await ofThisRelease(path)) ?? caches.match(path)

/**
 * Answers with the stored page at once, without a check for a new release: the browser looks for a newer worker by
 * itself.
 */
async function page(request) {
  const own = await ofThisRelease('/')
  const isAsked = wantsNewest
  wantsNewest = false
  if (own && !isAsked) return own
  const fromNetwork = fetch(request)
  const inTime = new Promise((resolve) => setTimeout(resolve, 4000))
  const response = await Promise.race([fromNetwork, inTime]).catch(() => undefined)
  if (response && response.status < 500) return response
  return own ?? response ?? fromNetwork
}
