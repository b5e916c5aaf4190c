import { failureOf } from '../media-failure.ts'
import type { MediaFailure } from '../media-failure.ts'
import { openPicture } from '../open-picture.ts'
import type { MediaSourceOf } from '../open-picture.ts'

export interface OpenPicture {
  state: 'open'
  blob: Blob
  url: string
  /** The size in pixels, as the browser shows the picture. */
  width: number
  height: number
}

export type ViewedState = { state: 'loading' } | OpenPicture | MediaFailure

interface Entry {
  state: ViewedState
  stop: AbortController
  settled: Promise<void>
}

const loading: ViewedState = { state: 'loading' }

/**
 * Opens the shown picture of a row and then one of its neighbours, and releases those that are further away.
 * `onChange` is called with the index of each picture whose state has changed.
 */
export function createOpenedPictures(sources: readonly MediaSourceOf[], onChange: (index: number) => void) {
  const entries = new Map<number, Entry>()
  let shown = -1

  const open = async (source: MediaSourceOf, index: number, { stop }: Pick<Entry, 'stop'>) => {
    let state: ViewedState
    let url: string | undefined
    try {
      const blob = await openPicture(source, stop.signal)
      url = URL.createObjectURL(blob)
      state = { state: 'open', blob, url, ...(await sizeOf(url)) }
    } catch (error) {
      state = failureOf(error, 'photo')
    }
    const entry = entries.get(index)
    const isNeeded = entry?.stop === stop
    if (url && (!isNeeded || state.state !== 'open')) URL.revokeObjectURL(url)
    if (!isNeeded) return
    entry.state = state
    onChange(index)
  }
  const settled = (index: number): Promise<void> => {
    const source = sources[index]
    if (!source) return Promise.resolve()
    const known = entries.get(index)
    if (known) return known.settled
    const stop = new AbortController()
    const entry = { state: loading, stop, settled: Promise.resolve() }
    entries.set(index, entry)
    entry.settled = open(source, index, entry)
    return entry.settled
  }
  const release = (index: number): void => {
    const entry = entries.get(index)
    if (!entry) return
    entries.delete(index)
    entry.stop.abort()
    if (entry.state.state === 'open') URL.revokeObjectURL(entry.state.url)
  }

  return {
    stateOf: (index: number): ViewedState => entries.get(index)?.state ?? loading,
    /** Opens the picture, and then the next one in the direction `by`, or the other neighbour at the end of the row. */
    show: async (index: number, by: 1 | -1): Promise<void> => {
      shown = index
      for (const known of [...entries.keys()]) {
        if (Math.abs(known - index) <= 1) continue
        release(known)
        onChange(known)
      }
      // A picture that failed before it was shown is tried again.
      if (entries.get(index)?.state.state === 'failed') release(index)
      await settled(index)
      if (shown === index) await settled(sources[index + by] ? index + by : index - by)
    },
    retry: (index: number): void => {
      release(index)
      void settled(index)
      onChange(index)
    },
    close: (): void => {
      shown = -1
      for (const known of [...entries.keys()]) release(known)
    },
  }
}

/** Decodes the picture, because a sender may declare a false size. */
async function sizeOf(url: string): Promise<{ width: number; height: number }> {
  const image = new Image()
  image.src = url
  await image.decode()
  return { width: image.naturalWidth, height: image.naturalHeight }
}
