import { isComposing } from '../../shared/lib/is-composing.ts'
import type { PlaceKind } from './place.ts'
import { isFlight } from './stroke.ts'
import { beginTraces } from './traces.ts'

const escapeWithinMs = 600

export interface FlightWatch {
  place: () => PlaceKind
  flee: () => void
}

interface Begun {
  id: number
  x: number
  y: number
  at: number
  fingers: number
  traces: ReturnType<typeof beginTraces>
}

/**
 * Calls back in the task of the gesture: a quick stroke sideways, or Escape twice. Fingers are followed by passive touch
 * events, which go on when the browser takes the stroke for a scroll; mouse and pen by pointer events. All are captured at
 * the window, so that no screen, viewer or dialog has to take part. Returns a function that stops it.
 */
export function watchFlight({ place, flee }: FlightWatch): () => void {
  const stops = [
    ...watchFingers({ place, flee }),
    ...watchPointers({ place, flee }),
    watchEscape({ place, flee }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function listen<K extends keyof WindowEventMap>(
  type: K,
  listener: (event: WindowEventMap[K]) => void,
): () => void {
  window.addEventListener(type, listener, { capture: true, passive: true })
  return () => window.removeEventListener(type, listener, { capture: true })
}

function watchFingers({ place, flee }: FlightWatch): (() => void)[] {
  let begun: Begun | null = null
  const onEnd = ({ touches, changedTouches, timeStamp }: TouchEvent) => {
    const touch = [...changedTouches].find(({ identifier }) => identifier === begun?.id)
    if (touches.length > 0) return
    const stroke = begun
    begun = null
    if (!stroke || !touch) return
    const { fingers } = stroke
    const [byX, byY, ms] = [touch.clientX - stroke.x, touch.clientY - stroke.y, timeStamp - stroke.at]
    if (isFlight({ byX, byY, ms, isMouse: false, fingers, ...stroke.traces() }, place())) flee()
  }
  return [
    listen('touchstart', ({ touches, changedTouches, timeStamp, target }) => {
      const [touch] = changedTouches
      if (begun) begun.fingers = Math.max(begun.fingers, touches.length)
      if (begun && touches.length > 1) return
      begun = touch
        ? {
            id: touch.identifier,
            x: touch.clientX,
            y: touch.clientY,
            at: timeStamp,
            fingers: touches.length,
            traces: beginTraces(target, false),
          }
        : null
      // An element that is removed during the stroke still gets its events, and the window gets none.
      target?.addEventListener('touchend', onEnd as EventListener, { once: true, passive: true })
    }),
    listen('touchend', onEnd),
    listen('touchcancel', () => {
      begun = null
    }),
  ]
}

function watchPointers({ place, flee }: FlightWatch): (() => void)[] {
  let begun: Begun | null = null
  return [
    listen('pointerdown', ({ pointerType, pointerId, clientX, clientY, timeStamp, target, isPrimary }) => {
      if (pointerType === 'touch') return
      const traces = beginTraces(target, pointerType === 'mouse')
      begun = isPrimary ? { id: pointerId, x: clientX, y: clientY, at: timeStamp, fingers: 1, traces } : null
    }),
    listen('pointerup', ({ pointerType, pointerId, clientX, clientY, timeStamp }) => {
      const stroke = begun
      begun = null
      if (!stroke || stroke.id !== pointerId || pointerType === 'touch') return
      const [byX, byY, ms] = [clientX - stroke.x, clientY - stroke.y, timeStamp - stroke.at]
      const isMouse = pointerType === 'mouse'
      if (isFlight({ byX, byY, ms, isMouse, fingers: 1, ...stroke.traces() }, place())) flee()
    }),
    listen('pointercancel', () => {
      begun = null
    }),
  ]
}

function watchEscape({ place, flee }: FlightWatch): () => void {
  let lastAt = -Infinity
  return listen('keydown', (event) => {
    const { key, repeat, timeStamp } = event
    // A held key repeats, and input methods use Escape themselves.
    if (repeat || isComposing(event)) return
    const isSecond = key === 'Escape' && timeStamp - lastAt <= escapeWithinMs
    lastAt = key === 'Escape' ? timeStamp : -Infinity
    if (isSecond && place() !== 'calculator') flee()
  })
}
