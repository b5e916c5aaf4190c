import type { Message } from '@sumlock/contracts/messaging-routes'
import { useMemo } from 'react'
import { toMediaInfo } from '../sealed/media-info.ts'
import { PictureMessage } from './PictureMessage.tsx'
import { VideoMessage } from './VideoMessage.tsx'
import { VoiceMessage } from './voice/VoiceMessage.tsx'

export interface MediaMessageProps {
  message: Message
  /** The sender's browser wrote this description of the media, so `toMediaInfo` checks its shape. */
  media: unknown
  /** The sender wrote this text under the media. */
  caption?: string
}

/** Shows the media of a message by its type. */
export function MediaMessage({ message, media, caption = '' }: MediaMessageProps) {
  const { id, messageType, mediaUrl, sealed } = message
  const info = useMemo(() => toMediaInfo(media, messageType), [media, messageType])
  if (mediaUrl === null || messageType === 'text' || (sealed && !info))
    return <em className="text-ink-2">This file can’t be shown</em>
  if (messageType === 'voice') return <VoiceMessage mediaUrl={mediaUrl} media={info} />
  const shown = { id, mediaUrl, media: info, caption: caption.trim() }
  return messageType === 'image' ? <PictureMessage {...shown} /> : <VideoMessage {...shown} />
}
