import { createListeners } from '@sumlock/sync/listeners'
import type { Busy } from '../../lock/busy.ts'
import type { PickerGrace } from '../../lock/picker-grace.ts'
import { microphoneSentence, openMicrophone } from './microphone.ts'
import { startTake } from './take.ts'
import type { Recording, Take } from './take.ts'

export type RecorderState =
  | { phase: 'idle' }
  /** The microphone was asked for. */
  | { phase: 'asking'; isHeld: boolean }
  /** Held: for as long as the button is pressed. */
  | { phase: 'recording'; isHeld: boolean; ms: number; levels: readonly number[] }
  /** Recorded, and kept until it is sent or discarded. */
  | { phase: 'ready' | 'sending'; ms: number; levels: readonly number[] }

export const longestMs = 5 * 60_000
/** What is shorter was held by mistake. */
const shortestMs = 1000
const sampleEveryMs = 50
export const hint = 'Hold to record, or tap to record hands-free'
const brokenOff = 'The recording has stopped, because the microphone failed. Please try again.'

export interface VoiceRecorderOptions {
  /** Rejects with a sentence; the recording is kept then. */
  send: (recording: Recording) => Promise<void>
  tell: (sentence: string, isError: boolean) => void
  busy: Busy
  pickerGrace: PickerGrace
}

export type VoiceRecorder = ReturnType<typeof createVoiceRecorder>

/** One voice message at a time, from the press of the button until it is sent or discarded. */
export function createVoiceRecorder({ send, tell, busy, pickerGrace }: VoiceRecorderOptions) {
  const changed = createListeners<[]>()
  let state: RecorderState = { phase: 'idle' }
  let take: Take | null = null
  let recording: Promise<Recording> | null = null
  let timer: number | undefined
  /** Counts presses: a microphone that is opened after its press was given up is closed at once. */
  let press = 0

  const set = (next: RecorderState) => {
    state = next
    changed.emit()
  }
  const onHide = () => {
    // Behind the prompt for the microphone, the page may be hidden.
    if (document.hidden && state.phase !== 'asking') drop()
  }
  const drop = () => {
    document.removeEventListener('visibilitychange', onHide)
    press += 1
    window.clearInterval(timer)
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
      if (ownPress !== press || document.hidden) {
        for (const track of stream.getTracks()) track.stop()
        if (ownPress === press) drop()
        return
      }
      record(stream)
    } catch (error) {
      if (ownPress === press) fail(microphoneSentence(error))
    }
  }

  function record(stream: MediaStream): void {
    const levels: number[] = []
    take = startTake(stream, busy, (error) => (error ? fail(brokenOff) : finish()))
    const started = take
    const isHeld = state.phase === 'asking' && state.isHeld
    set({ phase: 'recording', isHeld, ms: 0, levels })
    timer = window.setInterval(() => {
      if (state.phase !== 'recording') return
      levels.push(started.level())
      set({ ...state, ms: Math.min(started.ms(), longestMs) })
      if (started.ms() >= longestMs) finish()
    }, sampleEveryMs)
  }

  /** Turns the microphone off and keeps what was recorded. */
  function finish(): void {
    if (state.phase !== 'recording' || !take) return
    window.clearInterval(timer)
    const ms = Math.min(take.ms(), longestMs)
    const { levels } = state
    recording = take.stop().then((sound) => ({ sound, ms, levels }))
    take = null
    set({ phase: 'ready', ms, levels })
  }

  async function sendRecorded(): Promise<void> {
    finish()
    if (state.phase !== 'ready' || !recording) return
    const ready = state
    const ownPress = press
    set({ ...ready, phase: 'sending' })
    try {
      await send(await recording)
      if (ownPress === press) drop()
    } catch (error) {
      if (ownPress !== press) return
      set(ready)
      tell(
        error instanceof Error ? error.message : 'The recording could not be sent. Please try again.',
        true,
      )
    }
  }

  return {
    get: (): RecorderState => state,
    subscribe: changed.add,
    /** A press begins; `isHeld` until `release`. */
    begin,
    /** The finger is lifted: a short press goes on hands-free, a long one sends. */
    release(wasShort: boolean): void {
      if (state.phase !== 'asking' && state.phase !== 'recording') return
      if (!state.isHeld) return
      if (wasShort) set({ ...state, isHeld: false })
      else if (state.phase === 'asking' || state.ms < shortestMs) fail(hint, false)
      else void sendRecorded()
    },
    send: sendRecorded,
    discard: drop,
  }
}
