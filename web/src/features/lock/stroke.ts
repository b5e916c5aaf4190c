import { isSwipe } from '../../shared/lib/use-swipe.ts'
import type { PlaceKind } from './place.ts'

/** One gesture of a finger or a mouse, from the press to the release. */
export interface Stroke {
  byX: number
  byY: number
  ms: number
  isMouse: boolean
  /** The largest number of fingers that were down at the same time. */
  fingers: number
  /** Whether it began away from text and controls. */
  isOnBackground: boolean
  isInField: boolean
  /**
   * The value of the attribute `data-swipe` around its beginning: that element handles strokes to the right, or all
   * strokes, itself.
   */
  mark: string | null
  isZoomed: boolean
  hasScrolledSideways: boolean
  hasSelected: boolean
  hasMovedValue: boolean
}

/** Whether a stroke means that the person flees. */
export function isFlight(stroke: Stroke, place: PlaceKind): boolean {
  const { byX, byY, ms, isMouse, fingers, mark } = stroke
  if (place === 'calculator' || fingers > 1 || !isSwipe(byX, byY, ms)) return false
  if (mark === 'own' || (mark === 'own-right' && byX > 0)) return false
  if (stroke.isZoomed || stroke.hasScrolledSideways || stroke.hasSelected || stroke.hasMovedValue)
    return false
  if (isMouse && !stroke.isOnBackground) return false
  return !(place === 'public' && stroke.isInField)
}
