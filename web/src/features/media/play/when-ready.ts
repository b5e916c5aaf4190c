/**
 * Calls `onReady` when the element shows a picture and is not jumping to another one. The first picture of a film may
 * be hidden by a cut; the element then shows it until it has jumped to the next shown one.
 */
export function whenReady(video: HTMLVideoElement, signal: AbortSignal, onReady: () => void): void {
  const look = () => {
    if (!video.seeking && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) onReady()
  }
  for (const name of ['loadeddata', 'seeked']) video.addEventListener(name, look, { signal })
}
