import { BlobSource, Input, MP4, QTFF, WEBM, prefer } from 'mediabunny'
import type { InputAudioTrack, InputVideoTrack, Source } from 'mediabunny'
import { isKnownSound } from './clean-packets.ts'
import { readFilmIndex } from './film-index.ts'
import type { FilmBytes, TrackIndex } from './film-index.ts'

/**
 * A film or a recording is played and sent by these two tracks. Of several sounds, one in a codec that can be sent is
 * preferred.
 */
export interface Tracks {
  video: InputVideoTrack | null
  audio: InputAudioTrack | null
  /** The copy of a WebM is a WebM; the copy of any other file is a fragmented MP4. */
  container: 'webm' | 'mp4'
  /** The index of an MP4 states these facts about its tracks; the list is empty for a WebM. */
  index: readonly TrackIndex[]
}

/** Reads the tracks of MP4, QuickTime and WebM files; null for any other file and for one without tracks. */
export async function openTracks(source: Source, bytes: FilmBytes): Promise<Tracks | null> {
  const input = new Input({ source, formats: [MP4, QTFF, WEBM] })
  if (!(await input.canRead())) return null
  const [video, audio] = await Promise.all([
    input.getPrimaryVideoTrack(),
    input.getPrimaryAudioTrack({ sortBy: async (track) => prefer(isKnownSound(await track.getCodec())) }),
  ])
  if (!video && !audio) return null
  const container = (await input.getFormat()) === WEBM ? 'webm' : 'mp4'
  const index = container === 'mp4' ? await readFilmIndex(bytes) : undefined
  return { video, audio, container, index: index ?? [] }
}

export const openFileTracks = (file: Blob): Promise<Tracks | null> =>
  openTracks(new BlobSource(file), bytesOf(file))

export const bytesOf = (file: Blob): FilmBytes => ({
  size: file.size,
  read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
})

/** Returns whether players would play other sounds together with the chosen one. */
export function hasMoreSounds(tracks: Tracks): boolean {
  const own = indexOf(tracks, tracks.audio)
  const isHeard = (other: TrackIndex) =>
    other !== own && other.isSound && (other.group === 0 || other.group !== own?.group)
  return own !== undefined && tracks.index.some(isHeard)
}

/** Returns the index entry of a track; undefined if the index does not list it. */
export const indexOf = (
  { index }: Tracks,
  track: InputVideoTrack | InputAudioTrack | null,
): TrackIndex | undefined => index.find(({ id }) => id === track?.id)
