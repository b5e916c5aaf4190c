import type { Busy } from '../../lock/busy.ts'
import { startTake } from './take.ts'
import type { Recording } from './take.ts'

const sampleEveryMs = 50

export interface MeasuredTakeOptions {
  longestMs: number
  /** Receives the length so far, and the loudness (0 to 1) that was measured every 50 ms. */
  onSample: (ms: number, levels: readonly number[]) => void
  /** Called when `longestMs` is over, and when the recording has ended, with an error if it failed. */
  onEnd: (error?: Event) => void
}

export type MeasuredTake = ReturnType<typeof startMeasuredTake>

/**
 * Records a microphone and measures its loudness. `onEnd` is called after `longestMs`, and the caller then has to call
 * `finish`.
 */
export function startMeasuredTake(stream: MediaStream, busy: Busy, options: MeasuredTakeOptions) {
  const { longestMs, onSample, onEnd } = options
  const take = startTake(stream, busy, onEnd)
  const levels: number[] = []
  const length = () => Math.min(take.ms(), longestMs)
  const timer = window.setInterval(() => {
    levels.push(take.level())
    onSample(length(), levels)
    if (take.ms() >= longestMs) onEnd()
  }, sampleEveryMs)
  return {
    /** Turns the microphone off and returns the recording. */
    finish() {
      window.clearInterval(timer)
      const ms = length()
      const recording: Promise<Recording> = take.stop().then((sound) => ({ sound, ms, levels }))
      return { ms, levels, recording }
    },
    /** Turns the microphone off and keeps nothing. */
    discard(): void {
      window.clearInterval(timer)
      take.discard()
    },
  }
}
