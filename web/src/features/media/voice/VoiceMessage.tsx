import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useSession } from '../../../page.ts'
import { PauseIcon, PlayIcon } from '../../../shared/ui/icons.tsx'
import type { MediaInfo } from '../../sealed/media-info.ts'
import { FailureLine } from '../FailureLine.tsx'
import { lengthText } from '../length-text.ts'
import { useVoicePlayer } from './use-voice-player.ts'
import type { PlayerState } from './voice-player.ts'
import { Waveform } from './Waveform.tsx'

export interface VoiceMessageProps {
  mediaUrl: string
  media: MediaInfo | undefined
  /** Is called when the sound is heard. The message is played at once where this is given. */
  onHeard?: () => void
}

/** Plays a sent voice message in its bubble, at a speed that all voice messages share. */
export function VoiceMessage({ mediaUrl, media, onHeard }: VoiceMessageProps) {
  const { playback } = useSession().media
  const { player, phase, positionMs, totalMs, failure } = useVoicePlayer({ mediaUrl, media })
  const speed = useSyncExternalStore(playback.subscribe, playback.speed)
  const playsAtOnce = onHeard !== undefined
  useEffect(() => {
    if (playsAtOnce) void player.play()
  }, [player, playsAtOnce])
  const tellHeard = useEffectEvent(() => onHeard?.())
  useEffect(() => {
    if (phase === 'playing') tellHeard()
  }, [phase])

  if (failure) return <FailureLine failure={failure} onRetry={() => void player.play()} />
  const isOn = phase !== 'paused'
  const shownMs = isOn || positionMs > 0 ? positionMs : totalMs
  return (
    <>
      <span
        dir="ltr"
        role="group"
        aria-label="Voice message"
        className="-mx-2 flex w-72 max-w-[calc(100%+1rem)] items-center"
      >
        <button
          type="button"
          aria-label={isOn ? 'Pause' : 'Play'}
          aria-busy={phase === 'loading' || undefined}
          onClick={() => (isOn ? player.pause() : void player.play())}
          className="flex size-11 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition duration-100 active:scale-95"
        >
          <PlayState phase={phase} />
        </button>
        <Waveform bars={media?.bars} {...{ positionMs, totalMs }} onSeek={player.seek} />
        <button
          type="button"
          aria-label={`Speed ${speed}×`}
          onClick={playback.nextSpeed}
          className="-mr-1 flex h-11 w-12 shrink-0 items-center justify-center text-xs font-semibold tabular-nums"
        >
          <span className="min-w-9 rounded-full bg-ink/10 px-1.5 py-0.5">{speed}×</span>
        </button>
      </span>
      {/* The length is outside of the group, so that it shares a line with the time of the message. */}
      <span aria-hidden className="pl-11 text-xs tabular-nums">
        {shownMs > 0 || isOn ? lengthText(shownMs) : ''}
      </span>
    </>
  )
}

function PlayState({ phase }: { phase: PlayerState['phase'] }) {
  if (phase === 'paused') return <PlayIcon fill="currentColor" strokeWidth={0} />
  if (phase === 'playing') return <PauseIcon fill="currentColor" strokeWidth={0} />
  return (
    <span
      aria-hidden
      className="size-5 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}
