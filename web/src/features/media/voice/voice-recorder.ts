import { createCapture } from './capture.ts'
import type { CaptureOptions } from './capture.ts'
import type { Recording } from './take.ts'

/** A held press that recorded less than this was a mistake, and nothing is sent. */
const shortestMs = 1000
export const hint = 'Hold to record, or tap to record hands-free'
const notSent = 'The recording could not be sent. Please try again.'

export interface VoiceRecorderOptions extends CaptureOptions {
  /** If this rejects, the person reads the error's message and the recording is kept. */
  send: (recording: Recording, isOnce: boolean) => Promise<void>
}

export type VoiceRecorder = ReturnType<typeof createVoiceRecorder>

/** Records one voice message at a time, from the press of the button until it is sent or discarded. */
export function createVoiceRecorder({ send, ...options }: VoiceRecorderOptions) {
  const capture = createCapture(options)

  async function sendRecorded(isOnce = false): Promise<void> {
    const kept = capture.keep()
    if (!kept) return
    capture.set({ ...kept.state, phase: 'sending' })
    try {
      await send(await kept.recording, isOnce)
      if (kept.isCurrent()) capture.drop()
    } catch (error) {
      if (!kept.isCurrent()) return
      capture.set(kept.state)
      options.tell(error instanceof Error ? error.message : notSent, true)
    }
  }

  return {
    get: capture.get,
    subscribe: capture.subscribe,
    /** Starts a recording; `isHeld` is true while the button is pressed, until `release`. */
    begin: capture.begin,
    /**
     * Handles the release of the button: after a short press the recording continues hands-free, after a long one it is
     * sent.
     */
    release(wasShort: boolean): void {
      const state = capture.get()
      if (state.phase !== 'asking' && state.phase !== 'recording') return
      if (!state.isHeld) return
      if (wasShort) capture.set({ ...state, isHeld: false })
      else if (state.phase === 'asking' || state.ms < shortestMs) capture.fail(hint, false)
      else void sendRecorded()
    },
    send: sendRecorded,
    discard: capture.drop,
  }
}
