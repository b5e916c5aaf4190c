const stepS = 5
/** A jump stops this many seconds before the end, because a jump to the end itself would end the film. */
const beforeEndS = 0.1

/** Moves a film forwards, or backwards if `seconds` is negative, within its length. */
export function seekBy(video: HTMLVideoElement, seconds: number): void {
  const end = Number.isFinite(video.duration) ? Math.max(0, video.duration - beforeEndS) : 0
  video.currentTime = Math.max(0, Math.min(video.currentTime + seconds, end))
}

export function togglePlaying(video: HTMLVideoElement): void {
  // If the browser refuses to play, the button keeps offering it.
  if (video.paused) video.play().catch(() => undefined)
  else video.pause()
}

export function toggleSound(video: HTMLVideoElement): void {
  video.muted = !video.muted
}

/**
 * Handles a key that controls a film and returns true. Returns false for other keys, for all keys of the slider, and
 * for the space bar on a button.
 */
export function pressKey(video: HTMLVideoElement, key: string, target: EventTarget): boolean {
  if (target instanceof HTMLInputElement) return false
  if (key === ' ' && !(target instanceof HTMLButtonElement)) togglePlaying(video)
  else if (key === 'ArrowLeft') seekBy(video, -stepS)
  else if (key === 'ArrowRight') seekBy(video, stepS)
  else if (key === 'm') toggleSound(video)
  else return false
  return true
}
