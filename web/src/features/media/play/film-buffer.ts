/** The buffer keeps this many seconds ahead of the shown place, and as many behind it. */
const aheadS = 15
const behindS = 10
/** A browser may stop this long before a hole. */
const stopsBeforeS = 0.5
const clockS = 0.001

/** The part of a film that the element can play at once. */
export class FilmBuffer {
  readonly #video: HTMLVideoElement
  readonly #media: MediaSource
  readonly #buffer: SourceBuffer
  readonly #signal: AbortSignal

  constructor(video: HTMLVideoElement, media: MediaSource, type: string, signal: AbortSignal) {
    this.#video = video
    this.#media = media
    this.#signal = signal
    this.#buffer = media.addSourceBuffer(type)
    // The film may reach a hole after the part behind it was added.
    video.addEventListener('waiting', () => this.#leaveHole(), { signal })
  }

  /** Adds a part of the film once there is room; rejects if `signal` ends first. */
  async append(data: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void> {
    while (this.#aheadS() > aheadS) await this.#watched(signal)
    for (;;) {
      signal.throwIfAborted()
      try {
        this.#buffer.appendBuffer(data)
        await this.#updated()
        return this.#leaveHole()
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'QuotaExceededError') throw error
        await this.#forget(signal)
      }
    }
  }

  /** Marks the film as complete. Throws if nothing of it can be shown. */
  end(): void {
    if (this.#media.readyState === 'open' && !this.#buffer.updating) this.#media.endOfStream()
    if (this.#buffer.buffered.length === 0) throw new Error('The film is damaged.')
    this.#leaveHole()
  }

  /** Removes everything that was added, so that the film can continue at another place. */
  async reset(): Promise<void> {
    if (this.#media.readyState === 'closed') return
    if (this.#media.readyState === 'open') this.#buffer.abort()
    this.#buffer.remove(0, Infinity)
    await this.#updated()
  }

  /** Skips a time without picture or sound if the part behind it was already added. */
  #leaveHole(): void {
    const { buffered } = this.#buffer
    const { currentTime, readyState } = this.#video
    const isWaiting = readyState <= HTMLMediaElement.HAVE_CURRENT_DATA
    for (let index = 0; index < buffered.length; index += 1) {
      const start = buffered.start(index)
      if (start > currentTime + clockS) {
        this.#video.currentTime = start
        return
      }
      // Some browsers stop a little before the hole.
      if (currentTime < buffered.end(index) - (isWaiting ? stopsBeforeS : 0)) return
    }
  }

  /**
   * Resolves to the time to which the person has jumped, if the buffer does not contain it; rejects if `signal` ends
   * first.
   */
  nextJump(signal: AbortSignal): Promise<number> {
    return new Promise((resolve, reject) => {
      const onSeeking = () => {
        if (!this.#has(this.#video.currentTime)) resolve(this.#video.currentTime)
      }
      this.#video.addEventListener('seeking', onSeeking, { signal })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }

  #has(time: number): boolean {
    const { buffered } = this.#buffer
    for (let index = 0; index < buffered.length; index += 1)
      if (time >= buffered.start(index) - 0.1 && time < buffered.end(index)) return true
    return false
  }

  #aheadS(): number {
    const { buffered } = this.#buffer
    const { currentTime } = this.#video
    for (let index = 0; index < buffered.length; index += 1)
      if (currentTime >= buffered.start(index) - 0.1 && currentTime < buffered.end(index))
        return buffered.end(index) - currentTime
    return 0
  }

  /** Removes what was shown a while ago. If nothing can be removed, waits until more was shown. */
  async #forget(signal: AbortSignal): Promise<void> {
    const until = this.#video.currentTime - behindS
    const { buffered } = this.#buffer
    if (buffered.length > 0 && buffered.start(0) < until) {
      this.#buffer.remove(0, until)
      await this.#updated()
    } else await this.#watched(signal)
  }

  /** Resolves when the person has watched more or has jumped. */
  async #watched(signal: AbortSignal): Promise<void> {
    await nextOf(this.#video, ['timeupdate', 'seeking'], signal)
  }

  async #updated(): Promise<void> {
    // An error is followed by the end of the update, too.
    if ((await nextOf(this.#buffer, ['error', 'updateend'], this.#signal)) === 'error')
      throw new Error('The film is damaged.')
  }
}

/** Resolves to the name of the first of these events; rejects if `signal` ends first. */
function nextOf(target: EventTarget, names: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const heard = new AbortController()
    const options = { signal: heard.signal }
    const onAbort = () => {
      heard.abort()
      reject(signal.reason as Error)
    }
    for (const name of names)
      target.addEventListener(
        name,
        () => {
          heard.abort()
          resolve(name)
        },
        options,
      )
    signal.addEventListener('abort', onAbort, options)
  })
}
