import { BlobSource, Input, MP4, QTFF, WEBM, prefer } from 'mediabunny'
import type { InputAudioTrack, InputVideoTrack, Source } from 'mediabunny'
import { isKnownSound } from './clean-packets.ts'
import { readFilmIndex } from './film-index.ts'
import type { FilmBytes, TrackIndex } from './film-index.ts'

/**
 * The first picture and the first sound of a film or a recording. Of several sounds, one that can be sent is chosen.
 */
export interface Tracks {
  video: InputVideoTrack | null
  audio: InputAudioTrack | null
  /** WebM stays WebM; everything else becomes a fragmented MP4. */
  container: 'webm' | 'mp4'
  /** The tracks in the index of an MP4. */
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

/** Whether other sounds would play together with the chosen one. */
export function hasMoreSounds(tracks: Tracks): boolean {
  const own = indexOf(tracks, tracks.audio)
  const isHeard = (other: TrackIndex) =>
    other !== own && other.isSound && (other.group === 0 || other.group !== own?.group)
  return own !== undefined && tracks.index.some(isHeard)
}

/** Returns the entry of a track in the index. */
export const indexOf = (
  { index }: Tracks,
  track: InputVideoTrack | InputAudioTrack | null,
): TrackIndex | undefined => index.find(({ id }) => id === track?.id)
