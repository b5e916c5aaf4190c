import { createClient } from '../api/client.ts'
import { createStore } from '../api/store.ts'
import { createPasswordPrompt } from '../features/session/password-prompt.ts'
import { closeOpening } from '../features/session/close-opening.ts'
import { isKnownDevice } from '../features/device/known-device.ts'
import type { SafeStorage } from '../features/device/safe-storage.ts'
import { createBusy } from '../features/lock/busy.ts'
import { absence } from '../features/lock/absence.ts'
import { createLock } from '../features/lock/lock-effects.ts'
import { createPickerGrace } from '../features/lock/picker-grace.ts'
import { createUserFetch } from '../features/session/user-fetch.ts'
import { createWrongEntries } from '../features/session/wrong-entries.ts'
import type { Page } from '../page.ts'
import { createMinutes } from '../shared/ui/minutes.ts'
import { createToasts } from '../shared/ui/toasts.ts'
import type { Entry } from './create-entry.ts'

const answerWithinMs = 5000

export interface PageOptions {
  entry: Entry
  storage: SafeStorage
  fetch: typeof fetch
  channel: () => BroadcastChannel | undefined
}

/** Creates the objects that live as long as the document. */
export function createPage({ entry, storage, fetch, channel }: PageOptions): Page {
  const client = createClient({ fetch })
  const page: Page = {
    ...entry,
    client,
    lock: createLock({
      ...{ storage, location: entry.location, cover: entry.cover, openChannel: channel },
      secrets: {
        holds: () => page.holdsSecrets,
        flush: async (timeoutMs) => page.session?.flush(timeoutMs),
        end: () => endSession(page),
      },
      isKnownDevice,
      isArmed: entry.arrival.isArmed,
      wasAbsent: () => {
        const isOver = absence.isOver()
        if (isOver) absence.forget()
        return isOver
      },
      send: () =>
        client.request({
          ...{ url: '/api/lock', method: 'POST', keepalive: true },
          ...{ timeoutMs: answerWithinMs, isQuiet: true },
        }),
    }),
    busy: createBusy(),
    pickerGrace: createPickerGrace(),
    toasts: createToasts(),
    minutes: createMinutes(client.nowMs),
    userFetch: createUserFetch(),
    wrongEntries: createWrongEntries(),
    passwordPrompt: createPasswordPrompt(),
    isSetUpPutOff: false,
    ...{ holdsSecrets: false, unlocked: null, opening: null, session: null },
    get store() {
      return store
    },
  }
  const store = createStore(page)
  return page
}

/** Runs on a lock. A page that the lock cannot replace must not keep anything of the session either. */
function endSession(page: Page): void {
  closeOpening(page)
  page.unlocked = null
}
