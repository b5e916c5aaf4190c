import { isBackground } from '../../shared/lib/use-swipe.ts'
import type { Stroke } from './stroke.ts'

const fields = 'input, textarea, select, [contenteditable]'
const sliders = 'input[type=range], [role=slider]'

const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1.01
const valueOf = (slider: Element | null) =>
  slider instanceof HTMLInputElement ? slider.value : slider?.getAttribute('aria-valuenow')

/** Returns how far the page and the element's scrollers are scrolled sideways. */
function sidewaysOf(element: Element | null): number[] {
  const offsets = [window.scrollX, window.visualViewport?.offsetLeft ?? 0]
  for (let scroller = element; scroller; scroller = scroller.parentElement) offsets.push(scroller.scrollLeft)
  return offsets
}

/** Returns the selections of the page and of the focused field. */
function selectionOf(): unknown[] {
  const selection = window.getSelection()
  const field = document.activeElement
  const inField =
    field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
      ? [field.selectionStart, field.selectionEnd]
      : []
  return [selection?.isCollapsed === false ? selection.toString() : '', ...inField]
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((value, index) => value === other[index])

type Traces = Omit<Stroke, 'byX' | 'byY' | 'ms' | 'isMouse' | 'fingers'>

/**
 * Records scroll positions, selection and slider value at the beginning of a stroke. The returned function is called at
 * its end and returns what the stroke has changed.
 */
export function beginTraces(target: EventTarget | null, isMouse: boolean): () => Traces {
  const element = target instanceof Element ? target : null
  const slider = element?.closest(sliders) ?? null
  const markOf = () => element?.closest('[data-swipe]')?.getAttribute('data-swipe') ?? null
  const before = {
    sideways: sidewaysOf(element),
    selection: selectionOf(),
    value: valueOf(slider),
    mark: markOf(),
    isZoomed: isZoomed(),
    isOnBackground: element !== null && isBackground(element),
  }
  return () => {
    const selection = selectionOf()
    // An element that was removed during the stroke counts as not scrolled.
    const isThere = element?.isConnected === true
    return {
      isOnBackground: before.isOnBackground,
      isInField: element?.closest(fields) != null,
      mark: isThere ? markOf() : before.mark,
      isZoomed: before.isZoomed || isZoomed(),
      hasScrolledSideways: isThere && !isSame(before.sideways, sidewaysOf(element)),
      // A mouse press clears an earlier selection, so for a mouse only the selection at the end counts.
      hasSelected: isMouse ? selection[0] !== '' : isThere && !isSame(before.selection, selection),
      hasMovedValue: valueOf(slider) !== before.value,
    }
  }
}
