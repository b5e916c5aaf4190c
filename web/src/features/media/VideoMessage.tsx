import { fromBase64Url } from '@sumlock/sealing/bytes'
import { useCallback, useMemo, useState } from 'react'
import { PlayIcon } from '../../shared/ui/icons.tsx'
import { useSession } from '../../page.ts'
import type { MediaInfo } from '../sealed/media-info.ts'
import { PictureFrame } from './PictureFrame.tsx'
import { VideoViewer } from './play/VideoViewer.tsx'
import { lengthText } from './length-text.ts'
import { openThumb } from './open-picture.ts'
import { usePicture } from './use-picture.ts'

export interface VideoMessageProps {
  mediaUrl: string
  media: MediaInfo | undefined
  /** The sender wrote this text under the video, and screen readers name the video by it. */
  caption?: string
}

/** Shows a still of a sent video and its length. A tap plays it. */
export function VideoMessage({ mediaUrl, media, caption = '' }: VideoMessageProps) {
  const io = useSession().media
  const [isOpen, setIsOpen] = useState(false)
  const open = useCallback(
    (signal: AbortSignal) => openThumb({ mediaUrl, media, io }, signal),
    [mediaUrl, media, io],
  )
  const [still] = usePicture(media?.thumb ? open : null)
  const hash = useMemo(() => (media?.hash ? fromBase64Url(media.hash) : undefined), [media])
  const length = media?.ms !== undefined && lengthText(media.ms)
  const url = still.state === 'open' ? still.url : null
  return (
    <>
      <button
        type="button"
        aria-label={[length ? `Play video, ${length}` : 'Play video', caption].filter(Boolean).join(': ')}
        onClick={() => setIsOpen(true)}
        className="-mx-2 -mt-0.5 block max-w-[calc(100%+1rem)] rounded-xl"
      >
        <PictureFrame
          width={media?.w ?? 0}
          height={media?.h ?? 0}
          hash={hash}
          url={url}
          alt={caption || 'Video'}
        >
          <span className="absolute inset-0 m-auto flex size-14 items-center justify-center rounded-full bg-black/60 text-white">
            <PlayIcon size={26} fill="currentColor" className="ml-1" />
          </span>
          {length && (
            <span className="absolute bottom-1.5 left-1.5 rounded-md bg-black/60 px-1.5 text-xs text-white tabular-nums">
              {length}
            </span>
          )}
        </PictureFrame>
      </button>
      {isOpen && <VideoViewer source={{ mediaUrl, media, io }} onClose={() => setIsOpen(false)} />}
    </>
  )
}
