import { sendMedia } from '../send-media.ts'
import type { SendMediaOptions } from '../send-media.ts'
import type { Recording } from './take.ts'

const loadPreparing = () => import('./prepare-voice.ts')

/** Loads the code that a recording will need, so that a lost connection does no harm later. */
export const preloadPreparing = (): void => void loadPreparing().catch(() => undefined)

/** Sends a recording as a voice message. Rejects with a sentence if it cannot be prepared. */
export function sendRecording(recording: Recording, options: SendMediaOptions): Promise<void> {
  const prepare = async () => {
    const { prepareVoice } = await loadPreparing().catch(() => {
      throw new Error('The recording could not be prepared. Check your connection and try again.')
    })
    return prepareVoice(recording)
  }
  return sendMedia({ file: recording.sound, prepare }, options)
}
