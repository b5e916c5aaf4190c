/**
 * Calls back once the element shows the right first picture. The first picture of a film may be one that a cut hides;
 * it stays on screen until the element has moved on.
 */
export function whenReady(video: HTMLVideoElement, signal: AbortSignal, onReady: () => void): void {
  const look = () => {
    if (!video.seeking && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) onReady()
  }
  for (const name of ['loadeddata', 'seeked']) video.addEventListener(name, look, { signal })
}
