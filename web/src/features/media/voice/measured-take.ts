import type { Busy } from '../../lock/busy.ts'
import { startTake } from './take.ts'
import type { Recording } from './take.ts'

const sampleEveryMs = 50

export interface MeasuredTakeOptions {
  longestMs: number
  /** The length so far, and loudness values from 0 to 1 at equal distances. */
  onSample: (ms: number, levels: readonly number[]) => void
  /** The longest time is over, or the recording has ended by itself, with an error if there was one. */
  onEnd: (error?: Event) => void
}

export type MeasuredTake = ReturnType<typeof startMeasuredTake>

/** Records a microphone for at most `longestMs`, and measures its loudness. */
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
