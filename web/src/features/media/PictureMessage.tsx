import { fromBase64Url } from '@sumlock/sealing/bytes'
import { useCallback, useMemo } from 'react'
import { useSession } from '../../page.ts'
import type { MediaInfo } from '../sealed/media-info.ts'
import { FailureLine } from './FailureLine.tsx'
import { PictureFrame } from './PictureFrame.tsx'
import { openPicture, openThumb } from './open-picture.ts'
import { usePicture } from './use-picture.ts'

export interface PictureMessageProps {
  /** The viewer opens for a message with an id. */
  id?: string
  mediaUrl: string
  media: MediaInfo | undefined
  /** The sender wrote this text under the picture, and screen readers name the picture by it. */
  caption?: string
}

/**
 * Shows the thumbnail of a sent picture, or the whole picture if it is animated or has no thumbnail. A tap opens the
 * viewer.
 */
export function PictureMessage({ id, mediaUrl, media, caption = '' }: PictureMessageProps) {
  const io = useSession().media
  const open = useCallback(
    (signal: AbortSignal) =>
      media?.thumb && !media.moves
        ? openThumb({ mediaUrl, media, io }, signal)
        : openPicture({ mediaUrl, media, io }, signal),
    [mediaUrl, media, io],
  )
  const [opened, retry] = usePicture(open)
  const hash = useMemo(() => (media?.hash ? fromBase64Url(media.hash) : undefined), [media])
  const frame = { width: media?.w ?? 0, height: media?.h ?? 0, hash, alt: caption || 'Photo' }
  if (opened.state === 'failed') return <FailureLine failure={opened} onRetry={retry} />
  return (
    <button
      type="button"
      aria-label={caption ? `Open photo: ${caption}` : 'Open photo'}
      disabled={opened.state === 'loading' || id === undefined}
      onClick={() => id !== undefined && io.viewed.set(id)}
      className="-mx-2 -mt-0.5 block max-w-[calc(100%+1rem)] rounded-xl"
    >
      <PictureFrame {...frame} url={opened.state === 'open' ? opened.url : null} />
    </button>
  )
}
