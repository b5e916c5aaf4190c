import { useEffect, useState } from 'react'
import { PauseIcon, PlayIcon, MutedIcon, SoundIcon } from '../../../shared/ui/icons.tsx'
import { lengthText } from '../length-text.ts'
import { seekBy, togglePlaying, toggleSound } from './film-keys.ts'

const events = ['timeupdate', 'seeking', 'durationchange', 'play', 'pause', 'ended', 'volumechange']

function stateOf({ currentTime, duration, paused, muted }: HTMLVideoElement) {
  return { seconds: currentTime, total: Number.isFinite(duration) ? duration : 0, paused, muted }
}

/** Returns a film's position, length, and whether it is paused or muted, and renders again when one of them changes. */
function useFilmState(video: HTMLVideoElement) {
  const [state, setState] = useState(() => stateOf(video))
  useEffect(() => {
    const update = () => setState(stateOf(video))
    update()
    for (const name of events) video.addEventListener(name, update)
    return () => {
      for (const name of events) video.removeEventListener(name, update)
    }
  }, [video])
  return state
}

const buttonClass =
  'inline-flex size-12 shrink-0 items-center justify-center rounded-full text-white active:scale-95'

/**
 * Shows the buttons and the slider of a film. The browser's own controls would open the phone's player, which the
 * calculator of a locked page cannot cover.
 */
export function FilmControls({ video, isSilent }: { video: HTMLVideoElement; isSilent: boolean }) {
  const { seconds, total, paused, muted } = useFilmState(video)
  return (
    <div
      role="group"
      aria-label="Controls"
      dir="ltr"
      className="absolute inset-x-0 bottom-0 bg-black/60 px-2 pb-[max(0.25rem,env(safe-area-inset-bottom))] text-white"
    >
      {isSilent && (
        <p role="status" className="px-2 pt-2 text-center text-sm">
          This browser cannot play the sound of this video
        </p>
      )}
      <div className="flex items-center gap-1">
        <button
          type="button"
          aria-label={paused ? 'Play' : 'Pause'}
          className={buttonClass}
          onClick={() => togglePlaying(video)}
        >
          {paused ? (
            <PlayIcon fill="currentColor" strokeWidth={0} />
          ) : (
            <PauseIcon fill="currentColor" strokeWidth={0} />
          )}
        </button>
        <input
          type="range"
          aria-label="Position"
          aria-valuetext={`${lengthText(seconds * 1000)} of ${lengthText(total * 1000)}`}
          min={0}
          max={total}
          step={0.1}
          value={Math.min(seconds, total)}
          disabled={total === 0}
          onChange={({ currentTarget }) => seekBy(video, Number(currentTarget.value) - video.currentTime)}
          className="h-11 min-w-0 flex-1 touch-none accent-accent"
        />
        <span aria-hidden className="shrink-0 px-1 text-sm tabular-nums">
          {lengthText(seconds * 1000)} / {lengthText(total * 1000)}
        </span>
        {!isSilent && (
          <button
            type="button"
            aria-label={muted ? 'Sound on' : 'Sound off'}
            className={buttonClass}
            onClick={() => toggleSound(video)}
          >
            {muted ? <MutedIcon /> : <SoundIcon />}
          </button>
        )}
      </div>
    </div>
  )
}
