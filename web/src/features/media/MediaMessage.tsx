import type { Message } from '@sumlock/contracts/messaging-routes'
import { useMemo } from 'react'
import { toMediaInfo } from '../sealed/media-info.ts'
import { PictureMessage } from './PictureMessage.tsx'
import { VideoMessage } from './VideoMessage.tsx'
import { VoiceMessage } from './voice/VoiceMessage.tsx'

export interface MediaMessageProps extends Pick<Message, 'messageType'> {
  /** The viewer finds the picture by the id of its message; undefined until the server has stored that. */
  id?: string
  mediaUrl: string
  /** The sender's browser wrote this description of the media, so `toMediaInfo` checks its shape. */
  media: unknown
  isSealed: boolean
  /** The sender wrote this text under the media. */
  caption?: string
}

/** Shows the media of a message by its type. */
export function MediaMessage({
  id,
  messageType,
  mediaUrl,
  media,
  isSealed,
  caption = '',
}: MediaMessageProps) {
  const info = useMemo(() => toMediaInfo(media, messageType), [media, messageType])
  if (messageType === 'text' || (isSealed && !info))
    return <em className="text-ink-2">This file can’t be shown</em>
  const shown = { mediaUrl, media: info }
  if (messageType === 'voice') return <VoiceMessage {...shown} />
  if (messageType === 'video') return <VideoMessage {...shown} caption={caption.trim()} />
  return <PictureMessage {...shown} {...(id !== undefined && { id })} caption={caption.trim()} />
}
