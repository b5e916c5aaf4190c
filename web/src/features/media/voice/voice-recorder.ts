import { createListeners } from '@sumlock/sync/listeners'
import type { Busy } from '../../lock/busy.ts'
import type { PickerGrace } from '../../lock/picker-grace.ts'
import { microphoneSentence, openMicrophone } from './microphone.ts'
import { startTake } from './take.ts'
import type { Recording, Take } from './take.ts'

export type RecorderState =
  | { phase: 'idle' }
  /** The microphone was requested. */
  | { phase: 'asking'; isHeld: boolean }
  /** `isHeld` is true while the button is pressed. */
  | { phase: 'recording'; isHeld: boolean; ms: number; levels: readonly number[] }
  /** The recording is kept until it is sent or discarded. */
  | { phase: 'ready' | 'sending'; ms: number; levels: readonly number[] }

export const longestMs = 5 * 60_000
/** A shorter recording was held by mistake. */
const shortestMs = 1000
const sampleEveryMs = 50
export const hint = 'Hold to record, or tap to record hands-free'
const brokenOff = 'The recording has stopped, because the microphone failed. Please try again.'

const notSent = 'The recording could not be sent. Please try again.'

export interface VoiceRecorderOptions {
  /** Rejects with a sentence; the recording is kept then. */
  send: (recording: Recording) => Promise<void>
  tell: (sentence: string, isError: boolean) => void
  busy: Busy
  pickerGrace: PickerGrace
}

export type VoiceRecorder = ReturnType<typeof createVoiceRecorder>

/** Records one voice message at a time, from the press of the button until it is sent or discarded. */
export function createVoiceRecorder({ send, tell, busy, pickerGrace }: VoiceRecorderOptions) {
  const changed = createListeners<[]>()
  let state: RecorderState = { phase: 'idle' }
  let recording: Promise<Recording> | null = null
  /** Counts presses, so that a microphone that opens after its press was cancelled is closed at once. */
  let press = 0

  const set = (next: RecorderState) => {
    state = next
    changed.emit()
  }
  const onHide = () => {
    // The page may be hidden behind the prompt for the microphone.
    if (document.hidden && state.phase !== 'asking') drop()
  }
  const drop = () => {
    document.removeEventListener('visibilitychange', onHide)
    press += 1
    run.discard()
    recording = null
    if (state.phase !== 'idle') set({ phase: 'idle' })
  }
  const fail = (sentence: string, isError = true) => {
    drop()
    tell(sentence, isError)
  }

  const isHeldNow = () => 'isHeld' in state && state.isHeld
  const run = createRun(busy, {
    onSample: (ms, levels) => {
      if (state.phase === 'recording') set({ ...state, ms, levels })
    },
    onEnd: (isBroken) => (isBroken ? fail(brokenOff) : finish()),
  })

  async function begin(isHeld: boolean): Promise<void> {
    if (state.phase !== 'idle') return
    press += 1
    const ownPress = press
    set({ phase: 'asking', isHeld })
    document.addEventListener('visibilitychange', onHide)
    try {
      const stream = await openWanted(pickerGrace, () => ownPress === press && !document.hidden)
      if (!stream) return ownPress === press ? drop() : undefined
      run.start(stream)
      // The press may have become a tap while the microphone was requested.
      set({ phase: 'recording', isHeld: isHeldNow(), ms: 0, levels: [] })
    } catch (error) {
      if (ownPress === press) fail(microphoneSentence(error))
    }
  }

  /** Turns the microphone off and keeps the recording. */
  function finish(): void {
    const ended = state.phase === 'recording' ? run.finish() : null
    if (!ended) return
    recording = ended.recording
    set({ phase: 'ready', ms: ended.ms, levels: ended.levels })
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
      tell(error instanceof Error ? error.message : notSent, true)
    }
  }

  return {
    get: (): RecorderState => state,
    subscribe: changed.add,
    /** Starts a press; `isHeld` is true until `release`. */
    begin,
    /** The finger is lifted: a short press continues hands-free, a long one sends. */
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

/** Opens the microphone; null, and off again, if it is no longer wanted. */
async function openWanted(pickerGrace: PickerGrace, isWanted: () => boolean): Promise<MediaStream | null> {
  const stream = await openMicrophone(pickerGrace)
  if (isWanted()) return stream
  for (const track of stream.getTracks()) track.stop()
  return null
}

interface RunEvents {
  onSample: (ms: number, levels: readonly number[]) => void
  /** The longest time is over, or the microphone has stopped. */
  onEnd: (isBroken: boolean) => void
}

/** The running recording and its loudness. */
function createRun(busy: Busy, { onSample, onEnd }: RunEvents) {
  let take: Take | null = null
  let levels: number[] = []
  let timer: number | undefined
  return {
    start(stream: MediaStream): void {
      const started = (take = startTake(stream, busy, (error) => onEnd(error !== undefined)))
      levels = []
      timer = window.setInterval(() => {
        levels.push(started.level())
        onSample(Math.min(started.ms(), longestMs), levels)
        if (started.ms() >= longestMs) onEnd(false)
      }, sampleEveryMs)
    },
    /** Returns null if nothing is being recorded. */
    finish() {
      if (!take) return null
      window.clearInterval(timer)
      const ms = Math.min(take.ms(), longestMs)
      const taken = levels
      const recording: Promise<Recording> = take.stop().then((sound) => ({ sound, ms, levels: taken }))
      take = null
      return { recording, ms, levels: taken }
    },
    discard(): void {
      window.clearInterval(timer)
      take?.discard()
      take = null
    },
  }
}
