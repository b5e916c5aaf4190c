import { rarePart } from '../../shared/lib/rare-part.tsx'
import type { MediaMessageProps } from './MediaMessage.tsx'
import type { MediaPickerProps } from './picker/MediaPicker.tsx'

// What only chats with media need.
export const MediaMessage = rarePart<MediaMessageProps>(
  async () => (await import('./MediaMessage.tsx')).MediaMessage,
)
export const MediaPicker = rarePart<MediaPickerProps>(
  async () => (await import('./picker/MediaPicker.tsx')).MediaPicker,
)
