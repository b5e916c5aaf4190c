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
  isMouse: boolean
  fingers: number
  traces: ReturnType<typeof beginTraces>
}
type Point = Pick<Touch | PointerEvent, 'clientX' | 'clientY'>

/**
 * Calls `flee` within the gesture itself, on a quick stroke sideways or on Escape twice. Passive touch events follow
 * the fingers, because they continue when the browser scrolls; pointer events follow mouse and pen. The window captures
 * all events, so that no screen, viewer or dialog has to take part. Returns a function that ends this.
 */
export function watchFlight(watch: FlightWatch): () => void {
  const stops = [...watchFingers(watch), ...watchPointers(watch), watchEscape(watch)]
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

const begin = (
  id: number,
  { clientX, clientY }: Point,
  { timeStamp, target }: Event,
  isMouse: boolean,
  fingers = 1,
): Begun => ({
  id,
  x: clientX,
  y: clientY,
  at: timeStamp,
  isMouse,
  fingers,
  traces: beginTraces(target, isMouse),
})

function end(begun: Begun, { clientX, clientY }: Point, { timeStamp }: Event, watch: FlightWatch): void {
  const { x, y, at, isMouse, fingers, traces } = begun
  const stroke = { byX: clientX - x, byY: clientY - y, ms: timeStamp - at, isMouse, fingers, ...traces() }
  if (isFlight(stroke, watch.place())) watch.flee()
}

function watchFingers(watch: FlightWatch): (() => void)[] {
  let begun: Begun | null = null
  const onEnd = (event: TouchEvent) => {
    const touch = [...event.changedTouches].find(({ identifier }) => identifier === begun?.id)
    if (event.touches.length > 0) return
    const stroke = begun
    begun = null
    if (stroke && touch) end(stroke, touch, event, watch)
  }
  return [
    listen('touchstart', (event) => {
      const { touches, changedTouches, target } = event
      const [touch] = changedTouches
      if (begun) begun.fingers = Math.max(begun.fingers, touches.length)
      if (begun && touches.length > 1) return
      begun = touch ? begin(touch.identifier, touch, event, false, touches.length) : null
      // If the touched element is removed during the stroke, only the element and not the window receives the end.
      target?.addEventListener('touchend', onEnd as EventListener, { once: true, passive: true })
    }),
    listen('touchend', onEnd),
    listen('touchcancel', () => {
      begun = null
    }),
  ]
}

function watchPointers(watch: FlightWatch): (() => void)[] {
  let begun: Begun | null = null
  return [
    listen('pointerdown', (event) => {
      const { pointerType, pointerId, isPrimary } = event
      if (pointerType === 'touch') return
      begun = isPrimary ? begin(pointerId, event, event, pointerType === 'mouse') : null
    }),
    listen('pointerup', (event) => {
      const stroke = begun
      begun = null
      if (stroke?.id === event.pointerId) end(stroke, event, event, watch)
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
