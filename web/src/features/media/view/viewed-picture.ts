import type { MediaSourceOf } from '../open-picture.ts'

/** Describes a picture of a conversation for the viewer. */
export interface ViewedPicture extends Pick<MediaSourceOf, 'mediaUrl' | 'media'> {
  /** The id of its message. */
  id: string
  caption: string
  sender: string
  sentAtMs: number
}
