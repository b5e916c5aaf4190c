/**
 * A part is appended once fewer than `aheadS` seconds are buffered ahead of the playing position. If the browser's
 * memory is full, what lies more than `behindS` seconds before this position is removed.
 */
const aheadS = 15
const behindS = 10
/** A browser may stop up to this many seconds before a hole in the buffered film. */
const stopsBeforeS = 0.5
const clockS = 0.001

/** Holds the part of a film that the element can play without further fetching. */
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
    // The element may reach a hole only after the part behind the hole was appended.
    video.addEventListener('waiting', () => this.#leaveHole(), { signal })
  }

  /** Appends a part of the film once there is room. Rejects if `signal` aborts first. */
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

  /** Marks the film as complete. Throws if none of it can be shown. */
  end(): void {
    if (this.#media.readyState === 'open' && !this.#buffer.updating) this.#media.endOfStream()
    if (this.#buffer.buffered.length === 0) throw new Error('The film is damaged.')
    this.#leaveHole()
  }

  /** Removes everything that was appended, so that the film can continue at another place. */
  async reset(): Promise<void> {
    if (this.#media.readyState === 'closed') return
    if (this.#media.readyState === 'open') this.#buffer.abort()
    this.#buffer.remove(0, Infinity)
    await this.#updated()
  }

  /**
   * Moves the playing position behind a hole, a time without picture or sound, if what follows the hole was already
   * appended.
   */
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
      // A waiting browser may have stopped a little before the hole.
      if (currentTime < buffered.end(index) - (isWaiting ? stopsBeforeS : 0)) return
    }
  }

  /**
   * Waits until the person jumps to a place that is not buffered, and resolves to its time in seconds. Rejects if
   * `signal` aborts first.
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

  /**
   * Frees memory by removing what was shown more than `behindS` seconds ago. If there is nothing to remove, waits until
   * the film has played on.
   */
  async #forget(signal: AbortSignal): Promise<void> {
    const until = this.#video.currentTime - behindS
    const { buffered } = this.#buffer
    if (buffered.length > 0 && buffered.start(0) < until) {
      this.#buffer.remove(0, until)
      await this.#updated()
    } else await this.#watched(signal)
  }

  /** Resolves when the film has played on or the person has jumped. */
  async #watched(signal: AbortSignal): Promise<void> {
    await nextOf(this.#video, ['timeupdate', 'seeking'], signal)
  }

  async #updated(): Promise<void> {
    // `updateend` follows an error as well, so the first of both events decides.
    if ((await nextOf(this.#buffer, ['error', 'updateend'], this.#signal)) === 'error')
      throw new Error('The film is damaged.')
  }
}

/** Resolves to the name of the first of these events. Rejects if `signal` aborts first. */
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
