import { useEffect } from 'react'

/** Loads a part of the app after the screen is painted, so that it opens at once, even without a network. */
export function useLoaded(load: () => Promise<unknown>): void {
  useEffect(() => {
    // A failure is ignored, because opening the part loads it again.
    load().catch(() => undefined)
  }, [load])
}
