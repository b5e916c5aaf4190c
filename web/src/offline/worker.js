/* global self, caches */
// Caches the files of the calculator, so that it opens without a network. The build fills in the release and the files.
const cacheName = '__RELEASE__'
const files = ['__FILES__']

self.addEventListener('install', (event) => {
  const fresh = files.map((file) => new Request(file, { cache: 'reload' }))
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(fresh)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!/^\/(?:api|ws)(?:[/-]|$)/.test(pathname)) event.respondWith(page(request))
  } else if (files.includes(pathname)) {
    event.respondWith(kept(pathname).then((response) => response ?? fetch(request)))
  }
})

const kept = async (path) => (await caches.open(cacheName)).match(path)

/** The network first, for a new release; the cached page when there is no answer in time. */
async function page(request) {
  const fromNetwork = fetch(request)
  const inTime = new Promise((resolve) => setTimeout(resolve, 4000))
  const response = await Promise.race([fromNetwork, inTime]).catch(() => undefined)
  if (response && response.status < 500) return response
  return (await kept('/')) ?? response ?? fromNetwork
}
