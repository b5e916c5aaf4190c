import { createListeners } from '@sumlock/sync/listeners'
import type { Busy } from '../../lock/busy.ts'
import type { PickerGrace } from '../../lock/picker-grace.ts'
import { startMeasuredTake } from './measured-take.ts'
import type { MeasuredTake } from './measured-take.ts'
import { microphoneSentence, openMicrophone } from './microphone.ts'
import type { Recording } from './take.ts'

export type RecorderState =
  | { phase: 'idle' }
  /** The microphone was requested and is not open yet. */
  | { phase: 'asking'; isHeld: boolean }
  /** `isHeld` is true while the button is pressed. */
  | { phase: 'recording'; isHeld: boolean; ms: number; levels: readonly number[] }
  /** The recording is kept until it is sent or discarded. */
  | { phase: 'ready' | 'sending'; ms: number; levels: readonly number[] }

export const longestMs = 5 * 60_000
const brokenOff = 'The recording has stopped, because the microphone failed. Please try again.'

export interface CaptureOptions {
  tell: (sentence: string, isError: boolean) => void
  busy: Busy
  pickerGrace: PickerGrace
}

/** Records from the press of the button until the recording is kept or dropped. */
export function createCapture({ tell, busy, pickerGrace }: CaptureOptions) {
  const changed = createListeners<[]>()
  let state: RecorderState = { phase: 'idle' }
  let take: MeasuredTake | null = null
  let recording: Promise<Recording> | null = null
  /** Counts presses, so that a microphone that opens after its press was cancelled is closed at once. */
  let press = 0

  const set = (next: RecorderState) => {
    state = next
    changed.emit()
  }
  const onHide = () => {
    // The browser's prompt for the microphone may hide the page, which must not end the recording.
    if (document.hidden && state.phase !== 'asking') drop()
  }
  const drop = () => {
    document.removeEventListener('visibilitychange', onHide)
    press += 1
    take?.discard()
    take = recording = null
    if (state.phase !== 'idle') set({ phase: 'idle' })
  }
  const fail = (sentence: string, isError = true) => {
    drop()
    tell(sentence, isError)
  }

  async function begin(isHeld: boolean): Promise<void> {
    if (state.phase !== 'idle') return
    press += 1
    const ownPress = press
    set({ phase: 'asking', isHeld })
    document.addEventListener('visibilitychange', onHide)
    try {
      const stream = await openMicrophone(pickerGrace)
      if (ownPress === press && !document.hidden) return record(stream)
      for (const track of stream.getTracks()) track.stop()
      if (ownPress === press) drop()
    } catch (error) {
      if (ownPress === press) fail(microphoneSentence(error))
    }
  }

  function record(stream: MediaStream): void {
    take = startMeasuredTake(stream, busy, {
      longestMs,
      onSample: (ms, levels) => state.phase === 'recording' && set({ ...state, ms, levels }),
      onEnd: (error) => (error ? fail(brokenOff) : finish()),
    })
    // The person may have released the button while the microphone was requested; the recording is hands-free then.
    const isHeld = state.phase === 'asking' && state.isHeld
    set({ phase: 'recording', isHeld, ms: 0, levels: [] })
  }

  /** Turns the microphone off and keeps the recording. */
  function finish(): void {
    if (state.phase !== 'recording' || !take) return
    const { ms, levels, recording: finished } = take.finish()
    recording = finished
    take = null
    set({ phase: 'ready', ms, levels })
  }

  /**
   * Ends a running recording and returns the finished one; null if there is none. `isCurrent` returns false once it was
   * dropped.
   */
  function keep() {
    finish()
    if (state.phase !== 'ready' || !recording) return null
    const ownPress = press
    return { state, recording, isCurrent: () => ownPress === press }
  }

  return { get: () => state, subscribe: changed.add, set, begin, keep, drop, fail }
}
