import { isFlight } from './stroke.ts'
import type { Stroke } from './stroke.ts'
import type { PlaceKind } from './place.ts'

const swipe: Stroke = {
  byX: 120,
  byY: 4,
  ms: 250,
  isMouse: false,
  fingers: 1,
  isOnBackground: false,
  isInField: false,
  mark: null,
  isZoomed: false,
  hasScrolledSideways: false,
  hasSelected: false,
  hasMovedValue: false,
}
const flees = (change: Partial<Stroke>, place: PlaceKind = 'inner') =>
  isFlight({ ...swipe, ...change }, place)

it.each<PlaceKind>(['inner', 'public', 'set-up'])(
  'a swipe to either side flees from a place that is %s',
  (place) => {
    expect(flees({}, place)).toBe(true)
    expect(flees({ byX: -120 }, place)).toBe(true)
  },
)

it('no swipe flees from the calculator', () => {
  expect(flees({}, 'calculator')).toBe(false)
})

it('a flight takes 70 px in at most 600 ms, and more across than along', () => {
  expect(flees({ byX: 70, ms: 600 })).toBe(true)
  expect(flees({ byX: 69 })).toBe(false)
  expect(flees({ ms: 601 })).toBe(false)
  expect(flees({ byY: 120 })).toBe(false)
})

it.each<[string, Partial<Stroke>]>([
  ['two fingers', { fingers: 2 }],
  ['a zoomed page', { isZoomed: true }],
  ['a stroke that scrolled sideways', { hasScrolledSideways: true }],
  ['a stroke that selected', { hasSelected: true }],
  ['a stroke that moved a value', { hasMovedValue: true }],
  ['a place that keeps its strokes', { mark: 'own' }],
])('%s never flees', (_name, change) => {
  expect(flees(change)).toBe(false)
  expect(flees({ ...change, byX: -120 })).toBe(false)
})

it('on a toast a stroke to the right is its own, and one to the left flees', () => {
  expect(flees({ mark: 'own-right' })).toBe(false)
  expect(flees({ mark: 'own-right', byX: -120 })).toBe(true)
})

it('a stroke in a field flees, except from a public form', () => {
  expect(flees({ isInField: true })).toBe(true)
  expect(flees({ isInField: true }, 'set-up')).toBe(true)
  expect(flees({ isInField: true }, 'public')).toBe(false)
})

it('a mouse flees only from beside text and controls', () => {
  expect(flees({ isMouse: true })).toBe(false)
  expect(flees({ isMouse: true, isOnBackground: true })).toBe(true)
})
