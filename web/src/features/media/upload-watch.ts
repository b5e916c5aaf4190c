import type { Media } from './media.ts'

/** An upload that has not advanced for this time gets a sentence. */
const patienceMs = 8000
const lostSentence = 'No connection. It goes on when you are back.'
const slowSentence = 'The server does not take it at the moment. We keep trying.'

interface WatchOptions {
  media: Pick<Media, 'loss'>
  /** Receives the sentence about a delay, and null when the upload has advanced. */
  tell: (delay: string | null) => void
}

/** Watches whether an upload advances, and says why it does not. A retry that sends the same part again is no advance. */
export function watchUpload({ media: { loss }, tell }: WatchOptions) {
  let best = 0
  let isBegun = false
  let told: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = (delay: string | null) => {
    if (told !== delay) tell(delay)
    told = delay
  }
  const restart = () => {
    clearTimeout(timer)
    if (!isBegun) return
    timer = setTimeout(() => say(told ?? slowSentence), patienceMs)
  }
  const follow = () => {
    if (loss.isLasting) return say(lostSentence)
    if (told !== lostSentence) return
    say(null)
    restart()
  }
  const stop = loss.subscribe(follow)
  follow()
  return {
    /** Is called when the file is prepared and only the server is waited for. */
    begin: (): void => {
      isBegun = true
      restart()
    },
    /** Is called with the share that was sent. */
    advance: (share: number): void => {
      if (share <= best) return
      best = share
      say(null)
      restart()
    },
    end: (): void => {
      clearTimeout(timer)
      stop()
      say(null)
    },
  }
}
