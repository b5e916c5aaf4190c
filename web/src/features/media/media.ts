import type { Page } from '../../page.ts'
import { createConnections } from './connections.ts'
import type { OutgoingMedia } from './outgoing-media.ts'
import { createUploads } from './uploads.ts'
import { createPlayback } from './voice/playback.ts'

/** Holds the uploads and the playback of a session. */
export function createMedia({ client, busy, pickerGrace, toasts }: Page) {
  const uploads = createUploads()
  const playback = createPlayback()
  const outgoing = createOutgoing()
  return {
    ...{ client, busy, pickerGrace, toasts, uploads, playback, outgoing },
    withConnection: createConnections(),
    /** Ends all uploads and playback, and keeps no file. */
    close: (): void => {
      uploads.end()
      playback.end()
      outgoing.clear()
    },
  }
}

/** Maps each chosen file to its upload. */
function createOutgoing() {
  let made = new WeakMap<Blob, OutgoingMedia>()
  return {
    get: (chosen: Blob): OutgoingMedia | undefined => made.get(chosen),
    set: (chosen: Blob, outgoing: OutgoingMedia): void => void made.set(chosen, outgoing),
    clear: (): void => {
      made = new WeakMap()
    },
  }
}

export type Media = ReturnType<typeof createMedia>
