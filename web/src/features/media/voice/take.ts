import type { Busy } from '../../lock/busy.ts'

/**
 * The first type that the browser supports is recorded. WebM comes first, because every browser that writes it also
 * plays it, and its packets are Opus.
 */
const types = ['audio/webm;codecs=opus', 'audio/mp4']
const bitsPerSecond = 32_000

export interface Recording {
  sound: Blob
  ms: number
  /** The loudness is measured at equal intervals, from 0 to 1. */
  levels: readonly number[]
}

/** A take is a running recording. */
export interface Take {
  ms: () => number
  /** Returns the present loudness, from 0 to 1. */
  level: () => number
  /** Turns the microphone off at once, and resolves to the recording. */
  stop: () => Promise<Blob>
  /** Turns the microphone off and drops the recording. */
  discard: () => void
}

export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && typeof navigator.mediaDevices?.getUserMedia === 'function'

/**
 * Records a microphone. `onEnd` is called when the recording has stopped, with an error if it failed, but not after
 * `discard`.
 */
export function startTake(stream: MediaStream, busy: Busy, onEnd: (error?: Event) => void): Take {
  const endBusy = busy.begin()
  const context = new AudioContext()
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
    if (context.state !== 'closed') void context.close()
    endBusy()
  }
  try {
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
    const recorder = new MediaRecorder(stream, {
      ...(mimeType && { mimeType }),
      audioBitsPerSecond: bitsPerSecond,
    })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise<Blob>((resolve) => {
      recorder.onstop = () => {
        resolve(new Blob(parts, { type: recorder.mimeType }))
        onEnd()
      }
    })
    recorder.onerror = onEnd
    recorder.start()
    const startedAt = performance.now()
    return {
      ms: () => performance.now() - startedAt,
      level: () => {
        analyser.getFloatTimeDomainData(samples)
        const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
        return Math.min(1, Math.sqrt(power))
      },
      stop: () => {
        if (recorder.state !== 'inactive') recorder.stop()
        release()
        return stopped
      },
      discard: () => {
        recorder.ondataavailable = recorder.onerror = null
        recorder.onstop = null
        if (recorder.state !== 'inactive') recorder.stop()
        parts.length = 0
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}
