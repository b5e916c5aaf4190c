import { MicrophoneIcon, PauseIcon } from '../../../shared/ui/icons.tsx'
import { lengthText } from '../length-text.ts'
import { useVoicePlayer } from '../voice/use-voice-player.ts'
import type { OverviewItem } from './overview-item.ts'
import { RefusedTile, tileClass, tileName } from './RefusedTile.tsx'

/** Plays a voice message; another tap pauses it. */
export function VoiceTile({ item }: { item: OverviewItem }) {
  const { player, phase, positionMs, totalMs, failure } = useVoicePlayer(item)
  if (failure) {
    return (
      <RefusedTile item={item} onRetry={failure.canRetry ? () => void player.play() : undefined}>
        {failure.sentence}
      </RefusedTile>
    )
  }
  const isOn = phase !== 'paused'
  const shownMs = isOn || positionMs > 0 ? positionMs : totalMs
  return (
    <button
      type="button"
      aria-label={tileName(item, isOn ? 'Pause voice message' : 'Play voice message')}
      aria-busy={phase === 'loading' || undefined}
      onClick={() => (isOn ? player.pause() : void player.play())}
      className={tileClass}
    >
      <span className="flex size-11 items-center justify-center rounded-full bg-accent text-accent-ink">
        {isOn ? <PauseIcon fill="currentColor" strokeWidth={0} /> : <MicrophoneIcon />}
      </span>
      <span className="text-xs tabular-nums">{lengthText(shownMs)}</span>
    </button>
  )
}
