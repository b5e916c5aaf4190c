import { useEffect, useState } from 'react'
import { failureOf } from './media-failure.ts'
import type { MediaFailure } from './media-failure.ts'

export type Opened = { state: 'loading' } | { state: 'open'; url: string | null } | MediaFailure

const loading: Opened = { state: 'loading' }

/**
 * Opens a picture while its component is shown, and then revokes the object URL so that the browser frees the picture.
 * `open` must be the same function on each render, because a new one opens the picture again.
 */
export function usePicture(
  open: ((signal: AbortSignal) => Promise<Blob | null>) | null,
  what: 'photo' | 'video' = 'photo',
): [Opened, () => void] {
  const [tries, setTries] = useState(0)
  const [opened, setOpened] = useState<Opened>(loading)
  useEffect(() => {
    if (!open) return undefined
    const stop = new AbortController()
    let url: string | null = null
    open(stop.signal).then(
      (blob) => {
        if (stop.signal.aborted) return
        url = blob && URL.createObjectURL(blob)
        setOpened({ state: 'open', url })
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setOpened(failureOf(error, what))
      },
    )
    return () => {
      stop.abort()
      if (url) URL.revokeObjectURL(url)
      setOpened(loading)
    }
  }, [open, what, tries])
  return [opened, () => setTries((count) => count + 1)]
}
