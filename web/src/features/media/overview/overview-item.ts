import type { Message } from '@sumlock/contracts/messaging-routes'
import type { MediaSourceOf } from '../open-picture.ts'

/** Describes the media of a message for the overview. */
export interface OverviewItem extends Pick<MediaSourceOf, 'mediaUrl' | 'media'> {
  /** The id of the message. */
  id: string
  type: Exclude<Message['messageType'], 'text'>
  caption: string
  sender: string
  /** The server stored the message at this time. */
  atMs: number
  /** This sentence says why the media cannot be shown on this device; null if they can. */
  refusal: string | null
}
