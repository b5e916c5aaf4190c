import { isSwipe } from '../../shared/lib/use-swipe.ts'
import type { PlaceKind } from './place.ts'

/** A finger or a mouse that was put down, moved and lifted. */
export interface Stroke {
  byX: number
  byY: number
  ms: number
  isMouse: boolean
  /** Most fingers that were down at the same time. */
  fingers: number
  /** It began beside text and controls. */
  isOnBackground: boolean
  isInField: boolean
  /** Value of the attribute `data-swipe` around its beginning: strokes to the right, or all, belong to that element. */
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
