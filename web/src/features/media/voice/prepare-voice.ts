import { copyPackets } from '../prepare/copy-packets.ts'
import { openFileTracks } from '../prepare/film-tracks.ts'
import { PagedBytes } from '../prepare/paged-bytes.ts'
import type { PreparedMedia } from '../prepare/prepared-media.ts'
import { toBars } from './loudness-bars.ts'
import type { Recording } from './take.ts'

/**
 * Prepares a recording for sending by copying only its sound packets. Rejects with an error whose message the person
 * reads.
 */
export async function prepareVoice({ sound, ms, levels }: Recording): Promise<PreparedMedia> {
  const tracks = await openFileTracks(sound)
  if (!tracks?.audio) throw new Error('Nothing was recorded. Check your microphone and try again.')
  const file = new PagedBytes()
  await copyPackets({ ...tracks, video: null }, { write: (data, position) => file.write(data, position) })
  const info = { w: 0, h: 0, ms: Math.round(ms), bars: toBars(levels) }
  return { messageType: 'voice', file, thumb: null, info }
}
