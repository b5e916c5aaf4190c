import { isSwipe } from '../../shared/lib/use-swipe.ts'
import type { PlaceKind } from './place.ts'

/** Describes one gesture of a finger or a mouse, from the press to the release. */
export interface Stroke {
  byX: number
  byY: number
  ms: number
  isMouse: boolean
  /** At most this many fingers were down at the same time. */
  fingers: number
  /** Whether the stroke began away from text and controls. */
  isOnBackground: boolean
  isInField: boolean
  /**
   * The element in which the stroke began has this attribute `data-swipe`. The element handles strokes to the right
   * (`own-right`) or all strokes (`own`) itself.
   */
  mark: string | null
  isZoomed: boolean
  hasScrolledSideways: boolean
  hasSelected: boolean
  hasMovedValue: boolean
}

/** Returns whether a stroke means that the person flees to the calculator. */
export function isFlight(stroke: Stroke, place: PlaceKind): boolean {
  const { byX, byY, ms, isMouse, fingers, mark } = stroke
  if (place === 'calculator' || fingers > 1 || !isSwipe(byX, byY, ms)) return false
  if (mark === 'own' || (mark === 'own-right' && byX > 0)) return false
  if (stroke.isZoomed || stroke.hasScrolledSideways || stroke.hasSelected || stroke.hasMovedValue)
    return false
  if (isMouse && !stroke.isOnBackground) return false
  return !(place === 'public' && stroke.isInField)
}
