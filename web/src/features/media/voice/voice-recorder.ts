import { createCapture } from './capture.ts'
import type { CaptureOptions } from './capture.ts'
import type { Recording } from './take.ts'

/** A shorter recording was held by mistake. */
const shortestMs = 1000
export const hint = 'Hold to record, or tap to record hands-free'
const notSent = 'The recording could not be sent. Please try again.'

export interface VoiceRecorderOptions extends CaptureOptions {
  /** Rejects with a sentence; the recording is kept then. */
  send: (recording: Recording) => Promise<void>
}

export type VoiceRecorder = ReturnType<typeof createVoiceRecorder>

/** Records one voice message at a time, from the press of the button until it is sent or discarded. */
export function createVoiceRecorder({ send, ...options }: VoiceRecorderOptions) {
  const capture = createCapture(options)

  async function sendRecorded(): Promise<void> {
    const kept = capture.keep()
    if (!kept) return
    capture.set({ ...kept.state, phase: 'sending' })
    try {
      await send(await kept.recording)
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
    /** Starts a press; `isHeld` is true until `release`. */
    begin: capture.begin,
    /** The finger is lifted: a short press continues hands-free, a long one sends. */
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
