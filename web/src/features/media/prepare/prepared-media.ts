import type { MediaInfo } from '../../sealed/media-info.ts'

/**
 * Bytes that are read piece by piece: a `Blob`, or pages in memory, because the browser may write large blobs to the
 * disk.
 */
export interface Bytewise extends Pick<Blob, 'size'> {
  slice: (from: number, to: number) => Blob
}

/** A file that is ready to be sent. */
export interface PreparedMedia {
  messageType: 'image' | 'video' | 'voice'
  file: Bytewise
  /** A still of at most 320 pixels and 64 kB. */
  thumb: Blob | null
  /** The message's description of the file, without the sizes and the key. */
  info: Omit<MediaInfo, 'key' | 'size' | 'thumb'>
}
