/** Replaces the media elements, which jsdom cannot play. The test moves their time. */
export class FakeSound {
  static all: FakeSound[] = []
  /** The object URLs that were made and not revoked. */
  static urls = new Set<string>()
  static install(): void {
    FakeSound.all = []
    FakeSound.urls.clear()
    let count = 0
    URL.createObjectURL = () => {
      const url = `blob:${(count += 1)}`
      FakeSound.urls.add(url)
      return url
    }
    URL.revokeObjectURL = (url) => void FakeSound.urls.delete(url)
    Object.assign(globalThis, { Audio: FakeSound })
  }
  src = ''
  paused = true
  currentTime = 0
  duration = NaN
  playbackRate = 1
  error: { code: number } | null = null
  onplay: (() => void) | null = null
  onpause: (() => void) | null = null
  ontimeupdate: (() => void) | null = null
  ondurationchange: (() => void) | null = null
  onended: (() => void) | null = null
  onerror: (() => void) | null = null
  constructor() {
    FakeSound.all.push(this)
  }
  play = () => {
    this.paused = false
    this.onplay?.()
    return Promise.resolve()
  }
  pause = () => {
    this.paused = true
    this.onpause?.()
  }
  load = () => undefined
  removeAttribute = () => void (this.src = '')
  moveTo(seconds: number) {
    this.currentTime = seconds
    this.ontimeupdate?.()
  }
}
