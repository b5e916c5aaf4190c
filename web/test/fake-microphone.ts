const named = (name: string) => Object.assign(new Error(name), { name })

/** Replaces a microphone and its recorder, which jsdom lacks. The test ends them. */
export class FakeMicrophone {
  readonly tracks: { readyState: string; stop: () => void }[] = []
  readonly contexts: { state: string }[] = []
  recorder: FakeRecorder | undefined
  /** The name of the error that answers a prompt, or undefined. */
  refusal: string | undefined
  /** Answers a prompt that `isAsking` keeps open. */
  answer: () => void = () => undefined
  isAsking = false
  level = 0.25

  readonly openDevices = (): string[] => [
    ...this.tracks.filter(({ readyState }) => readyState !== 'ended').map(() => 'track'),
    ...this.contexts.filter(({ state }) => state !== 'closed').map(() => 'audio'),
  ]

  install(): void {
    const mediaDevices = { getUserMedia: () => this.#ask() }
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices })
    const { contexts } = this
    const fill = (samples: Float32Array) => samples.fill(this.level)
    class FakeContext {
      state = 'running'
      constructor() {
        contexts.push(this)
      }
      createAnalyser = () => ({ fftSize: 32, getFloatTimeDomainData: fill })
      createMediaStreamSource = () => ({ connect: () => undefined })
      close = () => {
        this.state = 'closed'
        return Promise.resolve()
      }
    }
    const keep = (recorder: FakeRecorder) => (this.recorder = recorder)
    class Recorder extends FakeRecorder {
      static isTypeSupported = (type: string) => type.includes('webm')
      constructor(_stream: unknown, { mimeType = '' }: { mimeType?: string }) {
        super(mimeType)
        keep(this)
      }
    }
    Object.assign(globalThis, { AudioContext: FakeContext, MediaRecorder: Recorder })
  }

  async #ask() {
    if (this.isAsking) await new Promise<void>((resolve) => (this.answer = resolve))
    if (this.refusal !== undefined) throw named(this.refusal)
    const track = { readyState: 'live', stop: () => void (track.readyState = 'ended') }
    this.tracks.push(track)
    return { getTracks: () => [track] }
  }
}

class FakeRecorder {
  state = 'inactive'
  ondataavailable: ((event: { data: Blob }) => void) | null = null
  onstop: (() => void) | null = null
  onerror: ((event: Event) => void) | null = null
  readonly mimeType: string
  constructor(mimeType: string) {
    this.mimeType = mimeType
  }
  start = () => void (this.state = 'recording')
  stop = () => {
    this.state = 'inactive'
    queueMicrotask(() => {
      this.ondataavailable?.({ data: new Blob(['sound']) })
      this.onstop?.()
    })
  }
}
