import { textAt } from './byte-readers.ts'
import { isWebm, mp4Kind, webmKind } from './media-tracks.ts'
import { pictureType } from './picture-type.ts'

export type MediaKind = 'image' | 'video' | 'audio'

/** Only these media may be sent, received and shown. */
export type RecognizedMedia =
  | { kind: 'image'; mime: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' }
  | { kind: 'video'; mime: 'video/mp4' | 'video/webm' }
  | { kind: 'audio'; mime: 'audio/mp4' | 'audio/webm' | 'audio/mpeg' }

/**
 * Recognizes media by their bytes, of which the first 64 KiB are enough, and never by the declared type. If the bytes
 * do not reveal whether an MP4 or WebM has a picture, the expected kind decides.
 */
export function recognizeMedia(bytes: Uint8Array, expected?: MediaKind): RecognizedMedia | undefined {
  const type = pictureType(bytes)
  if (type === 'jpeg' || type === 'png' || type === 'webp' || type === 'gif')
    return { kind: 'image', mime: `image/${type}` }
  if (type) return undefined
  const fallback = expected === 'audio' ? 'audio' : 'video'
  if (isMp4(bytes)) return of(mp4Kind(bytes) ?? fallback, 'mp4')
  if (isWebm(bytes)) return of(webmKind(bytes) ?? fallback, 'webm')
  return isMp3(bytes) ? { kind: 'audio', mime: 'audio/mpeg' } : undefined
}

const of = (kind: 'video' | 'audio', container: 'mp4' | 'webm'): RecognizedMedia =>
  kind === 'video' ? { kind, mime: `video/${container}` } : { kind, mime: `audio/${container}` }

/** A QuickTime file has the same boxes but another brand, so it is not matched. */
const isMp4 = (bytes: Uint8Array) =>
  textAt(bytes, 4, 4) === 'ftyp' &&
  /^(?:iso|mp4|avc|M4[AV]|dash|msdh|3g[p2]|f4v|cmf)/.test(textAt(bytes, 8, 4))

/**
 * Returns whether the bytes begin with an ID3 tag, or with a frame of layer III whose bit rate and sample rate exist.
 */
function isMp3(bytes: Uint8Array): boolean {
  if (textAt(bytes, 0, 3) === 'ID3') return true
  const [sync = 0, version = 0, rates = 0] = bytes
  return sync === 0xff && (version & 0xe6) === 0xe2 && rates >> 4 !== 15 && (rates & 0x0c) !== 0x0c
}
