import { sendMedia } from '../send-media.ts'
import type { SendMediaOptions } from '../send-media.ts'
import type { Recording } from './take.ts'

const loadPreparing = () => import('./prepare-voice.ts')

/** Loads what a recording will need, so that a connection lost meanwhile does no harm. */
export const preloadPreparing = (): void => void loadPreparing().catch(() => undefined)

/** Sends a recording as a voice message. Rejects with a sentence when it cannot be prepared. */
export function sendRecording(recording: Recording, options: SendMediaOptions): Promise<void> {
  const prepare = async () => {
    const { prepareVoice } = await loadPreparing().catch(() => {
      throw new Error('The recording could not be prepared. Check your connection and try again.')
    })
    return prepareVoice(recording)
  }
  return sendMedia({ file: recording.sound, prepare }, options)
}
