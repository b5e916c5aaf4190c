import { createListeners } from '@sumlock/sync/listeners'

/** A file that is being uploaded for a message is kept only in the memory of the page. */
export interface Upload {
  /** The message gets this id as its `clientMessageId`. */
  readonly id: string
  readonly conversationId: string
  readonly messageType: 'image' | 'video' | 'voice'
  /** This object URL shows a small picture; null if there is none. */
  readonly previewUrl: string | null
  /** The width and height are in pixels, and 0 for sound. */
  readonly width: number
  readonly height: number
  /** The progress is a share from 0 to 1. */
  readonly progress: number
  /** If the upload has failed, this sentence says why. */
  readonly failure: string | null
  retry(): void
  cancel(): void
}

function release({ previewUrl }: Upload): void {
  if (previewUrl) URL.revokeObjectURL(previewUrl)
}

/** Creates the list of a session's uploads, oldest first. */
export function createUploads() {
  let all: readonly Upload[] = []
  let isEnded = false
  const changed = createListeners<[]>()
  const set = (next: readonly Upload[]) => {
    all = next
    changed.emit()
  }
  return {
    get: (): readonly Upload[] => all,
    subscribe: changed.add,
    add: (upload: Upload): void => set([...all, upload]),
    patch: (id: string, change: Partial<Upload>): void =>
      set(all.map((upload) => (upload.id === id ? { ...upload, ...change } : upload))),
    /** Removes an upload and its picture. */
    remove: (id: string): void => {
      for (const upload of all) if (upload.id === id) release(upload)
      set(all.filter((upload) => upload.id !== id))
    },
    /** A file that is still being prepared must not be added afterwards. */
    isEnded: (): boolean => isEnded,
    /** Cancels all uploads, and removes those whose message is on its way, too. */
    end: (): void => {
      isEnded = true
      for (const upload of all) upload.cancel()
      for (const upload of all) release(upload)
      set([])
    },
  }
}
