import { cx } from '../../../shared/lib/cx.ts'
import { useMediaQuery } from '../../../shared/lib/use-media-query.ts'
import { IconButton } from '../../../shared/ui/Button.tsx'
import { DeleteIcon } from '../../../shared/ui/first-icons.ts'
import { lengthText } from '../length-text.ts'
import type { RecorderState } from './capture.ts'

/** Only this many of the newest levels are drawn, which fill the widest composer. */
const shownLevels = 120
const levelsPerSecond = 20
/**
 * Levels are multiplied by this, because speech is much quieter than the loudest sound that a microphone can record.
 */
const gain = 4

interface RecordingBarProps {
  state: Exclude<RecorderState, { phase: 'idle' }>
  onDiscard: () => void
}

/** Shows the length and loudness of the recording, and a way to discard it. */
export function RecordingBar({ state, onDiscard }: RecordingBarProps) {
  const isHeld = 'isHeld' in state && state.isHeld
  const isRunning = state.phase === 'recording'
  const ms = 'ms' in state ? state.ms : 0
  return (
    <>
      {isHeld ? (
        <span className="w-3 shrink-0" />
      ) : (
        <IconButton label="Discard" disabled={state.phase === 'sending'} onClick={onDiscard}>
          <DeleteIcon />
        </IconButton>
      )}
      <span
        aria-hidden
        className={cx(
          'size-2.5 shrink-0 rounded-full',
          isRunning ? 'bg-danger motion-safe:animate-pulse' : 'bg-control',
        )}
      />
      <span role="timer" aria-label="Recorded" className="ml-2 w-11 shrink-0 tabular-nums">
        {lengthText(ms)}
      </span>
      <span role="status" className="sr-only">
        {isRunning ? 'Recording' : state.phase === 'ready' ? 'Recording stopped' : ''}
      </span>
      {'levels' in state && <Levels levels={state.levels} />}
      {isHeld && <span className="mr-4 shrink-0 text-sm text-ink-2">‹ Slide to cancel</span>}
    </>
  )
}

/** Draws the loudness of the last seconds, the newest at the end. */
function Levels({ levels }: { levels: readonly number[] }) {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)')
  // With reduced motion, the levels move once a second.
  const end = isStill ? levels.length - (levels.length % levelsPerSecond) : levels.length
  return (
    <span
      aria-hidden
      className="mx-3 flex h-8 min-w-0 flex-1 items-center justify-end gap-0.5 overflow-hidden"
    >
      {levels.slice(Math.max(0, end - shownLevels), end).map((level, index) => (
        <span
          key={index}
          className="w-0.75 shrink-0 rounded-full bg-accent"
          style={{ height: `${Math.max(10, Math.min(100, level * gain * 100))}%` }}
        />
      ))}
    </span>
  )
}
