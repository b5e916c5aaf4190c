import { createEntry } from '../src/app/create-entry.ts'
import { createPage } from '../src/app/create-page.ts'
import { createMemoryStore } from '../src/features/delivery/unsent-store.ts'
import { deviceStorage } from '../src/features/device/safe-storage.ts'
import { createMedia } from '../src/features/media/media.ts'

/** Makes the objects of one page load. */
export const openPage = (entry = createEntry()) =>
  createPage({
    entry,
    storage: deviceStorage,
    fetch: (...call) => globalThis.fetch(...call),
    channel: () => (typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('calc')),
  })

/** The page of a test file. */
export const testPage = openPage()

export const { store, lock, client, toasts, place, cover, flight, arrival } = testPage
export const { preferences, pickerGrace, wrongEntries, busy, early: earlyEntry, location: page } = testPage
export const { request, onLocked, onSignedOut, prepareChange, reportSignedOut } = client
export const { toast, dismissToast, leaveScreen } = toasts

/** The media of a session on a page whose connection holds. */
export const createTestMedia = (page = testPage) =>
  createMedia(page, {
    unsent: createMemoryStore(),
    loss: { isLasting: false, subscribe: () => () => undefined },
  })

/** The media of a session on this page. */
export const media = createTestMedia()
export const { uploads } = media

/** Sets the server's clock by the date of an answer. */
export async function noteServerDate(date: string): Promise<void> {
  const real = globalThis.fetch
  globalThis.fetch = () => Promise.resolve(new Response('', { headers: { date } }))
  await request({ url: '/api/user' })
  globalThis.fetch = real
}
