import type { MediaInfo } from '../../sealed/media-info.ts'

/**
 * This file is read piece by piece. It is a `Blob`, or `PagedBytes` in memory, because the browser may write large
 * blobs to the disk.
 */
export interface Bytewise extends Pick<Blob, 'size'> {
  slice: (from: number, to: number) => Blob
}

/** A prepared file contains only what is sent. */
export interface PreparedMedia {
  messageType: 'image' | 'video' | 'voice'
  file: Bytewise
  /** The still has sides of at most 320 pixels and a size of at most 64 KiB; null if there is none. */
  thumb: Blob | null
  /** The sealed message contains this description of the file; sealing adds the sizes and the key. */
  info: Omit<MediaInfo, 'key' | 'size' | 'thumb'>
}
