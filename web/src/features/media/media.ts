import type { Page } from '../../page.ts'
import { createConnections } from './connections.ts'
import type { OutgoingMedia } from './outgoing-media.ts'
import { createUploads } from './uploads.ts'
import { createPlayback } from './voice/playback.ts'

/** The media of a session: what is uploaded, what plays, and what both need of the page. */
export function createMedia({ client, busy, pickerGrace, toasts }: Page) {
  const uploads = createUploads()
  const playback = createPlayback()
  const outgoing = createOutgoing()
  return {
    ...{ client, busy, pickerGrace, toasts, uploads, playback, outgoing },
    withConnection: createConnections(),
    /** Ends what is uploaded and played, and keeps no file. */
    close: (): void => {
      uploads.end()
      playback.pause()
      outgoing.clear()
    },
  }
}

/** By the chosen file. */
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
