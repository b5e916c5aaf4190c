import type { MediaFrom } from './choose-files.ts'

interface MediaLimit {
  /** No file may have more bytes. */
  bytes: number
  text: string
  takesFilms: boolean
}

/** The composer has a button for each of these sources. */
export const mediaLimits: Readonly<Record<MediaFrom, MediaLimit>> = {
  camera: { bytes: 10_485_760, text: '10 MB', takesFilms: false },
  gallery: { bytes: 52_428_800, text: '50 MB', takesFilms: true },
}

/** At most this many files are sent at a time. */
export const mostFiles = 10
