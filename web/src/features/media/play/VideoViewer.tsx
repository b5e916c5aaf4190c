import { useEffect, useRef, useState } from 'react'
import { Spinner } from '../../../shared/ui/Spinner.tsx'
import { whileBusy } from '../../lock/busy.ts'
import { MediaDialog, MediaDialogFailure } from '../MediaDialog.tsx'
import { failureOf } from '../media-failure.ts'
import type { MediaFailure } from '../media-failure.ts'
import type { MediaSourceOf } from '../open-picture.ts'

/** Plays a video over the whole window. */
export function VideoViewer({ source, onClose }: { source: MediaSourceOf; onClose: () => void }) {
  const element = useRef<HTMLVideoElement>(null)
  const [isReady, setIsReady] = useState(false)
  const [failure, setFailure] = useState<MediaFailure | null>(null)
  const [tries, setTries] = useState(0)
  const { mediaUrl, media } = source

  useEffect(() => {
    const video = element.current as HTMLVideoElement
    const stop = new AbortController()
    const fail = (error: unknown) => {
      if (!stop.signal.aborted) setFailure(failureOf(error, 'video'))
    }
    const { signal } = stop
    let endBusy = () => {}
    const onPlay = () => {
      endBusy()
      endBusy = whileBusy()
    }
    video.addEventListener('error', () => fail(video.error), { signal })
    video.addEventListener('play', onPlay, { signal })
    video.addEventListener('pause', () => endBusy(), { signal })
    // It would go on sounding behind the calculator that covers the page.
    const pauseIfHidden = () => {
      if (document.hidden) video.pause()
    }
    document.addEventListener('visibilitychange', pauseIfHidden, { signal })
    import('./play-film.ts').then(({ playFilm }) => playFilm(video, { mediaUrl, media }, signal)).catch(fail)
    // Nothing of it outlives the page.
    return () => {
      stop.abort()
      endBusy()
      video.pause()
      video.removeAttribute('src')
      video.load()
    }
  }, [mediaUrl, media, tries])
  return (
    <MediaDialog label="Video" onClose={onClose}>
      <div className="flex size-full items-center justify-center">
        {failure ? (
          <MediaDialogFailure
            failure={failure}
            onRetry={() => {
              setFailure(null)
              setTries(tries + 1)
            }}
          />
        ) : (
          !isReady && <Spinner label="Loading video..." />
        )}
        {/* The picture may leave neither this page nor this device. */}
        <video
          ref={element}
          controls
          autoPlay
          playsInline
          disablePictureInPicture
          disableRemotePlayback
          controlsList="nodownload noremoteplayback noplaybackrate"
          aria-label="Video"
          hidden={failure !== null}
          onLoadedData={() => setIsReady(true)}
          className={isReady ? 'size-full' : 'absolute opacity-0'}
        />
      </div>
    </MediaDialog>
  )
}
