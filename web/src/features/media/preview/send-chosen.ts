import type { SendMediaOptions } from '../chosen-media.ts'
import { lookOf } from '../chosen-media.ts'
import { sendFiles } from '../send-media.ts'
import type { ChosenItem } from './chosen-item.ts'

/** A larger picture gets no still before it is prepared, because the browser would decode all of it. */
const maxStillBytes = 20_000_000

/** Sends the files of the preview. A file that is not prepared yet is shown as it was chosen. */
export function sendChosen(items: readonly ChosenItem[], options: SendMediaOptions): void {
  const files = items.map(({ file, kind, caption, isOnce, question, prepared, url, stillUrl }) => {
    const messageType = kind === 'film' ? ('video' as const) : ('image' as const)
    if (isOnce) {
      for (const one of [url, stillUrl]) if (one) URL.revokeObjectURL(one)
      return { file, question, isOnce, look: { messageType, still: null, width: 0, height: 0 } }
    }
    const still = kind === 'picture' && file.size <= maxStillBytes ? file : null
    const look = prepared
      ? { ...lookOf(prepared), stillUrl }
      : { messageType, still, stillUrl: still && url, width: 0, height: 0 }
    return { file, caption, question, look }
  })
  sendFiles(files, options)
}
