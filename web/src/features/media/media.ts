import type { Page } from '../../page.ts'
import { createConnections } from './connections.ts'
import type { UnsentFiles } from './lost-files.ts'
import type { Openings } from './once/openings.ts'
import type { OutgoingMedia } from './outgoing-media.ts'
import type { OwnFile } from './own-files.ts'
import { createUploads } from './uploads.ts'
import { createViewedMessage } from './viewed-message.ts'
import { createPlayback } from './voice/playback.ts'
import { followPresses } from './voice/presses.ts'

interface SessionParts {
  /** Keeps for the next page which files are not sent yet. */
  unsent: UnsentFiles
  /** Follows whether the connection is lost. */
  loss: { readonly isLasting: boolean; subscribe: (listener: () => void) => () => void }
}

/** Creates what all media of a session share: uploads, playback, prepared files, and the limit on connections. */
export function createMedia({ client, busy, pickerGrace, toasts }: Page, parts: SessionParts) {
  const uploads = createUploads()
  const playback = createPlayback()
  const presses = followPresses()
  const outgoing = createOutgoing()
  const viewed = createViewedMessage()
  /** The keys are the addresses of files that this page has sent. */
  const own = new Map<string, OwnFile>()
  /** The part for messages that open once is created with the first one. */
  const late: { once?: Openings } = {}
  return {
    ...{
      client,
      busy,
      pickerGrace,
      toasts,
      uploads,
      playback,
      presses,
      outgoing,
      own,
      viewed,
      late,
      ...parts,
    },
    withConnection: createConnections(),
    /** Cancels all uploads, stops playback, forgets the prepared files, and closes the viewer. */
    close: (): void => {
      uploads.end()
      playback.end()
      presses.end()
      outgoing.clear()
      viewed.set(null)
      late.once?.end()
      own.clear()
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
