import { playFilm } from '../src/features/media/play/play-film.ts'
import { whenReady } from '../src/features/media/play/when-ready.ts'

// Runs in the page and plays an unsealed film as a chat does.

export interface Played {
  /** The time in the film of the first shown picture. */
  firstS: number
  /** The time at which it ended; 0 if it did not end. */
  endedAtS: number
  isSilent: boolean
  said: string
}

/** Plays a film to its end or up to the time limit. */
export async function playStored(mediaUrl: string, mostMs: number): Promise<Played> {
  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true })
  document.body.append(video)
  const stop = new AbortController()
  const played: Played = { firstS: -1, endedAtS: 0, isSilent: false, said: '' }
  whenReady(video, stop.signal, () => {
    if (played.firstS < 0)
      video.requestVideoFrameCallback((_now, { mediaTime }) => (played.firstS = mediaTime))
    void video.play()
  })
  const over = new Promise<void>((resolve) => {
    video.addEventListener('ended', () => {
      played.endedAtS = video.currentTime
      resolve()
    })
    setTimeout(resolve, mostMs)
  })
  const onSilent = () => (played.isSilent = true)
  const playing = playFilm(video, { mediaUrl, media: undefined }, { signal: stop.signal, onSilent })
  const failed = playing.then(
    () => over,
    (error: unknown) => {
      if (!stop.signal.aborted) played.said = error instanceof Error ? error.message : String(error)
    },
  )
  await Promise.race([over, failed])
  stop.abort()
  video.remove()
  return played
}
