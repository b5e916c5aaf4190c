import { useEffect, useState } from 'react'
import { failureOf } from './media-failure.ts'
import type { MediaFailure } from './media-failure.ts'

export type Opened = { state: 'loading' } | { state: 'open'; url: string | null } | MediaFailure

const loading: Opened = { state: 'loading' }

/**
 * Opens a picture while its component is shown and revokes its object URL afterwards, so that nothing of it outlives
 * the page. `open` has to be stable.
 */
export function usePicture(
  open: ((signal: AbortSignal) => Promise<Blob | null>) | null,
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
        if (!stop.signal.aborted) setOpened(failureOf(error, 'photo'))
      },
    )
    return () => {
      stop.abort()
      if (url) URL.revokeObjectURL(url)
      setOpened(loading)
    }
  }, [open, tries])
  return [opened, () => setTries((count) => count + 1)]
}
