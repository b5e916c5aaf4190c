const stepS = 5
/** The end itself would end the film. */
const beforeEndS = 0.1

/** Moves a film by so many seconds, within it. */
export function seekBy(video: HTMLVideoElement, seconds: number): void {
  const end = Number.isFinite(video.duration) ? Math.max(0, video.duration - beforeEndS) : 0
  video.currentTime = Math.max(0, Math.min(video.currentTime + seconds, end))
}

export function togglePlaying(video: HTMLVideoElement): void {
  // A browser that refuses leaves the button as it is.
  if (video.paused) video.play().catch(() => undefined)
  else video.pause()
}

export function toggleSound(video: HTMLVideoElement): void {
  video.muted = !video.muted
}

/** What a key does with a film; false for all others. Keys of a control that has the focus are its own. */
export function pressKey(video: HTMLVideoElement, key: string, target: EventTarget): boolean {
  if (target instanceof HTMLInputElement) return false
  if (key === ' ' && !(target instanceof HTMLButtonElement)) togglePlaying(video)
  else if (key === 'ArrowLeft') seekBy(video, -stepS)
  else if (key === 'ArrowRight') seekBy(video, stepS)
  else if (key === 'm') toggleSound(video)
  else return false
  return true
}
