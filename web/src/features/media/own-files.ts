import type { PreparedMedia } from './prepare/prepared-media.ts'

/** Of the files that were sent, at most this many bytes stay in memory. */
const maxBytes = 64_000_000

/** The picture, and the still of a picture or film. */
export type OwnFile = Partial<Record<'file' | 'thumb', Blob>>

const sizeOf = ({ file, thumb }: OwnFile) => (file?.size ?? 0) + (thumb?.size ?? 0)

/** Keeps what this page has sent, so that it is shown without a download. The oldest files are dropped first. */
export function keepOwn(
  own: Map<string, OwnFile>,
  mediaUrl: string,
  { messageType, file, thumb }: PreparedMedia,
): void {
  const picture = messageType === 'image' && file instanceof Blob ? { file } : {}
  own.set(mediaUrl, { ...picture, ...(thumb && { thumb }) })
  let left = [...own.values()].reduce((sum, one) => sum + sizeOf(one), 0)
  for (const [url, one] of own) {
    if (left <= maxBytes) return
    left -= sizeOf(one)
    own.delete(url)
  }
}
