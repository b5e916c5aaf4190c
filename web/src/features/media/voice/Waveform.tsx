import { useMemo } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { lengthText } from '../length-text.ts'
import { heightsOf } from './loudness-bars.ts'

const stepMs = 5000
const barPx = 2
const pitchPx = 3
const heightPx = 28

interface WaveformProps {
  bars: string | undefined
  positionMs: number
  totalMs: number
  onSeek: (ms: number) => void
}

/** Shows the loudness of a voice message and the playing position, which the person can change. */
export function Waveform({ bars, positionMs, totalMs, onSeek }: WaveformProps) {
  const heights = useMemo(() => heightsOf(bars), [bars])
  const share = totalMs > 0 ? Math.min(1, positionMs / totalMs) : 0
  const seekTo = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onSeek((totalMs * (event.clientX - left)) / width)
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      aria-label="Position"
      aria-disabled={totalMs === 0 || undefined}
      aria-valuemin={0}
      aria-valuemax={Math.round(totalMs / 1000)}
      aria-valuenow={Math.round(positionMs / 1000)}
      aria-valuetext={`${lengthText(positionMs)} of ${lengthText(totalMs)}`}
      onKeyDown={(event) => {
        const target = targetOf(event, positionMs, totalMs)
        if (target === undefined) return
        // The list of messages would move its focus by the same keys.
        event.stopPropagation()
        event.preventDefault()
        onSeek(target)
      }}
      onPointerDown={(event) => {
        // The gesture must start neither the swipe that leaves the chat nor the long press of the bubble.
        event.stopPropagation()
        event.currentTarget.setPointerCapture?.(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture?.(event.pointerId)) seekTo(event)
      }}
      onClick={(event) => event.stopPropagation()}
      className="relative mx-1 flex h-11 min-w-0 flex-1 cursor-pointer touch-none items-center rounded-md"
    >
      <Bars heights={heights} className="text-ink/50" />
      <span
        className="absolute inset-0 flex items-center text-accent"
        style={{ clipPath: `inset(0 ${100 * (1 - share)}% 0 0)` }}
      >
        <Bars heights={heights} />
      </span>
    </span>
  )
}

function targetOf({ key }: KeyboardEvent, positionMs: number, totalMs: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return positionMs - stepMs
    case 'ArrowRight':
    case 'ArrowUp':
      return positionMs + stepMs
    case 'Home':
      return 0
    case 'End':
      return totalMs
    default:
      return undefined
  }
}

function Bars({ heights, className }: { heights: readonly number[]; className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${heights.length * pitchPx - (pitchPx - barPx)} ${heightPx}`}
      preserveAspectRatio="none"
      className={className}
      width="100%"
      height={heightPx}
      fill="currentColor"
    >
      {heights.map((height, index) => {
        const tall = Math.max(barPx, height * heightPx)
        return (
          <rect
            key={index}
            x={index * pitchPx}
            y={(heightPx - tall) / 2}
            width={barPx}
            height={tall}
            rx={barPx / 2}
          />
        )
      })}
    </svg>
  )
}
