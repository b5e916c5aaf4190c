import type { Busy } from '../../lock/busy.ts'

/** WebM comes first: every browser that writes it also plays it, and its packets are opus. */
const types = ['audio/webm;codecs=opus', 'audio/mp4']
const bitsPerSecond = 32_000

export interface Recording {
  sound: Blob
  ms: number
  /** The loudness from 0 to 1, at equal distances. */
  levels: readonly number[]
}

/** A running recording. */
export interface Take {
  ms: () => number
  /** The loudness of this moment, 0 to 1. */
  level: () => number
  /** Resolves to the recording. The microphone is off as soon as this returns. */
  stop: () => Promise<Blob>
  /** Ends everything and keeps nothing. */
  discard: () => void
}

export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && typeof navigator.mediaDevices?.getUserMedia === 'function'

/** Records a microphone. `onEnd` is called if the recording ends by itself, with an error if there was one. */
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
