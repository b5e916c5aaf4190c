import { useEffect, useEffectEvent, useState } from 'react'
import type { ReactNode } from 'react'
import { usePage } from '../../../page.ts'
import { Spinner } from '../../../shared/ui/Spinner.tsx'
import type { Busy } from '../../lock/busy.ts'
import { MediaDialog, MediaDialogFailure } from '../MediaDialog.tsx'
import { failureOf, noPicture } from '../media-failure.ts'
import type { MediaFailure } from '../media-failure.ts'
import type { MediaSourceOf } from '../open-picture.ts'
import { FilmControls } from './FilmControls.tsx'
import { pressKey, togglePlaying } from './film-keys.ts'
import { whenReady } from './when-ready.ts'

interface VideoViewerProps {
  source: MediaSourceOf
  note?: ReactNode
  /** Is called when the video is shown. */
  onShown?: () => void
  onClose: () => void
}

/** Plays a video over the whole window. */
export function VideoViewer({ source, note, onShown, onClose }: VideoViewerProps) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const [isReady, setIsReady] = useState(false)
  const [isWaiting, setIsWaiting] = useState(false)
  const [isSilent, setIsSilent] = useState(false)
  const [failure, setFailure] = useState<MediaFailure | null>(null)
  const [tries, setTries] = useState(0)
  const { busy } = usePage()
  const { mediaUrl, media, io } = source
  const onReady = useEffectEvent(() => {
    setIsReady(true)
    onShown?.()
  })

  useEffect(() => {
    if (!video) return undefined
    const stop = new AbortController()
    const { signal } = stop
    const fail = (error: unknown) => {
      if (!signal.aborted) setFailure(failureOf(error, 'video'))
    }
    const endWatching = watch(video, {
      ...{ busy, signal, fail },
      onReady: () => onReady(),
      onWaiting: setIsWaiting,
    })
    const of = { mediaUrl, media, ...(io && { io }) }
    import('./play-film.ts')
      .then(({ playFilm }) => playFilm(video, of, { signal, onSilent: () => setIsSilent(true) }))
      .catch(fail)
    // Without its source, the element stops loading and frees the film's data when the viewer closes.
    return () => {
      stop.abort()
      endWatching()
      video.pause()
      video.removeAttribute('src')
      video.load()
    }
  }, [video, mediaUrl, media, io, busy, tries])

  const isShown = isReady && failure === null
  const retry = () => {
    setFailure(null)
    setIsReady(false)
    setTries(tries + 1)
  }
  return (
    <MediaDialog
      label="Video"
      note={note}
      onClose={onClose}
      onKeyDown={(event) => {
        if (video && isShown && pressKey(video, event.key, event.target)) event.preventDefault()
      }}
    >
      <div className="flex size-full items-center justify-center">
        {failure ? (
          <MediaDialogFailure failure={failure} onRetry={retry} />
        ) : (
          (!isReady || isWaiting) && <Spinner label="Loading video..." />
        )}
        {/* A second window or screen would still show the film after this page is covered. */}
        <video
          ref={setVideo}
          autoPlay
          playsInline
          disablePictureInPicture
          disableRemotePlayback
          aria-label="Video"
          hidden={failure !== null}
          onClick={() => video && togglePlaying(video)}
          className={isReady ? 'size-full' : 'absolute opacity-0'}
        />
      </div>
      {video && isShown && <FilmControls video={video} isSilent={isSilent} />}
    </MediaDialog>
  )
}

interface Watching {
  busy: Busy
  signal: AbortSignal
  fail: (error: unknown) => void
  onReady: () => void
  onWaiting: (isWaiting: boolean) => void
}

/**
 * Reports the element's state through the callbacks, and counts the person as active while it plays. `signal` ends the
 * reports; the returned function ends the activity.
 */
function watch(video: HTMLVideoElement, { busy, signal, fail, onReady, onWaiting }: Watching): () => void {
  let endBusy = () => {}
  const listeners: Record<string, () => void> = {
    error: () => fail(video.error),
    waiting: () => onWaiting(true),
    playing: () => onWaiting(false),
    canplay: () => onWaiting(false),
    play: () => {
      endBusy()
      endBusy = busy.begin()
    },
    pause: () => endBusy(),
  }
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, listener, { signal })
  // If the browser can decode only the sound of a film, the element becomes ready without a width.
  whenReady(video, signal, () => (video.videoWidth > 0 ? onReady() : fail(noPicture())))
  // A hidden page is covered by the calculator, and the film must not be heard behind it.
  const pauseIfHidden = () => {
    if (document.hidden) video.pause()
  }
  document.addEventListener('visibilitychange', pauseIfHidden, { signal })
  return () => endBusy()
}
