import { createListeners } from '@sumlock/sync/listeners'

/** A file that is being uploaded for a message. The page keeps it in memory only. */
export interface Upload {
  /** The id of the message that follows. */
  readonly id: string
  readonly conversationId: string
  readonly messageType: 'image' | 'video' | 'voice'
  /** The object URL of a small picture; null if there is none. */
  readonly previewUrl: string | null
  /** The pixels; 0 for sound. */
  readonly width: number
  readonly height: number
  /** A share from 0 to 1. */
  readonly progress: number
  /** A sentence if the upload has failed. */
  readonly failure: string | null
  retry(): void
  cancel(): void
}

/** The uploads of a session, oldest first. */
export function createUploads() {
  let all: readonly Upload[] = []
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
    remove: (id: string): void => set(all.filter((upload) => upload.id !== id)),
    /** Cancels all uploads. */
    end: (): void => {
      for (const upload of all) upload.cancel()
      set([])
    },
  }
}

export type Uploads = ReturnType<typeof createUploads>
