import { toBase64Url } from '@sumlock/sealing/bytes'
import { fileKey, sealFile } from '@sumlock/sealing/file'
import type { MediaInfo } from '../sealed/media-info.ts'
import type { PreparedMedia } from './prepare/prepared-media.ts'

/**
 * Seals the thumbnail and the file into one stored file, in this order, and returns the description for the message.
 */
export async function sealMedia({
  file,
  thumb,
  info,
}: PreparedMedia): Promise<{ file: Blob; media: MediaInfo }> {
  const mediaKey = crypto.getRandomValues(new Uint8Array(32))
  const parts: BlobPart[] = []
  if (thumb) for await (const part of sealFile(await fileKey(mediaKey, 'thumb'), thumb)) parts.push(part)
  for await (const part of sealFile(await fileKey(mediaKey, 'file'), file)) parts.push(part)
  const media = { ...info, key: toBase64Url(mediaKey), size: file.size, thumb: thumb?.size ?? 0 }
  return { file: new Blob(parts), media }
}
