import type { Page } from '../../page.ts'
import { createConnections } from './connections.ts'
import type { OutgoingMedia } from './outgoing-media.ts'
import { createUploads } from './uploads.ts'
import { createViewedMessage } from './viewed-message.ts'
import { createPlayback } from './voice/playback.ts'

/** Creates what all media of a session share: uploads, playback, prepared files, and the limit on connections. */
export function createMedia({ client, busy, pickerGrace, toasts }: Page) {
  const uploads = createUploads()
  const playback = createPlayback()
  const outgoing = createOutgoing()
  const viewed = createViewedMessage()
  return {
    ...{ client, busy, pickerGrace, toasts, uploads, playback, outgoing, viewed },
    withConnection: createConnections(),
    /** Cancels all uploads, stops playback, forgets the prepared files, and closes the viewer. */
    close: (): void => {
      uploads.end()
      playback.end()
      outgoing.clear()
      viewed.set(null)
    },
  }
}

/** Maps each chosen file to its preparation, so that a retry sends the bytes that were sealed before. */
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
