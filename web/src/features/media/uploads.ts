import { createListeners } from '@sumlock/sync/listeners'
import type { OpenQuestion } from './sender-question.ts'

/** A file that is being uploaded for a message is kept only in the memory of the page. */
export interface Upload {
  /** The message gets this id as its `clientMessageId`. */
  readonly id: string
  readonly conversationId: string
  readonly messageType: 'image' | 'video' | 'voice'
  readonly caption: string
  /** This object URL shows a small picture; null if there is none. */
  readonly previewUrl: string | null
  /** The width and height are in pixels, and 0 for sound and until they are known. */
  readonly width: number
  readonly height: number
  /** The progress is a share from 0 to 1. */
  readonly progress: number
  /** If the upload has failed, this sentence says why. */
  readonly failure: string | null
  /** While the upload cannot go on, this sentence says why. It goes on by itself. */
  readonly delay: string | null
  /** The preparation waits for the answer to this question. */
  readonly question: OpenQuestion | null
  /** Whether an earlier page was closed before it had sent the file, so that the person has to choose it again. */
  readonly isLost: boolean
  /** The receiver can open the file once, so its bubble shows nothing of it. */
  readonly isOnce?: boolean
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
    /** Changes an upload. A picture that is replaced is released. */
    patch: (id: string, change: Partial<Upload>): void => {
      const before = all.find((upload) => upload.id === id)
      if (before && change.previewUrl) release(before)
      set(all.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
    },
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
