import { isBackground } from '../../shared/lib/use-swipe.ts'
import type { Stroke } from './stroke.ts'

const fields = 'input, textarea, select, [contenteditable]'
const sliders = 'input[type=range], [role=slider]'

const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1.01
const valueOf = (slider: Element | null) =>
  slider instanceof HTMLInputElement ? slider.value : slider?.getAttribute('aria-valuenow')

/** The element and all around it; kept, because the element may be removed during the stroke. */
function pathFrom(element: Element | null): Element[] {
  const path: Element[] = []
  for (let next = element; next; next = next.parentElement) path.push(next)
  return path
}

/** How far the page and the scrollers are scrolled sideways. */
const sidewaysOf = (scrollers: readonly Element[]): number[] => [
  window.scrollX,
  window.visualViewport?.offsetLeft ?? 0,
  ...scrollers.map(({ scrollLeft }) => scrollLeft),
]

/** The selected text of the page, and what is selected in the field. */
function selectionOf(field: Element | null): unknown[] {
  const selection = window.getSelection()
  const inField =
    field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
      ? [field.selectionStart, field.selectionEnd]
      : []
  return [selection?.isCollapsed === false ? selection.toString() : '', ...inField]
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((value, index) => value === other[index])

type Traces = Omit<Stroke, 'byX' | 'byY' | 'ms' | 'isMouse' | 'fingers'>

/** Notes what is around the beginning of a stroke; the returned function says at its end what the stroke has done. */
export function beginTraces(target: EventTarget | null, isMouse: boolean): () => Traces {
  const element = target instanceof Element ? target : null
  const slider = element?.closest(sliders) ?? null
  const path = pathFrom(element)
  const field = document.activeElement
  const markOf = () => element?.closest('[data-swipe]')?.getAttribute('data-swipe') ?? null
  const before = {
    sideways: sidewaysOf(path),
    selection: selectionOf(field),
    value: valueOf(slider),
    mark: markOf(),
    isZoomed: isZoomed(),
    isOnBackground: element !== null && isBackground(element),
  }
  return () => {
    const selection = selectionOf(field)
    return {
      isOnBackground: before.isOnBackground,
      isInField: element?.closest(fields) != null,
      mark: element?.isConnected ? markOf() : before.mark,
      isZoomed: before.isZoomed || isZoomed(),
      hasScrolledSideways: !isSame(before.sideways, sidewaysOf(path)),
      // A mouse may have begun beside text that is selected.
      hasSelected: isMouse ? selection[0] !== '' : !isSame(before.selection, selection),
      hasMovedValue: valueOf(slider) !== before.value,
    }
  }
}
