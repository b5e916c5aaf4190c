import type { EncodedPacket } from 'mediabunny'
import { hiddenParts, hiddenStepS, movedAt, placePictures } from './film-times.ts'
import type { PicturePlan } from './picture-plan.ts'

const plan = (fromS: number, toS: number, atS: number, before: number[], behind: number[]): PicturePlan => ({
  piece: { fromS, toS, atS },
  start: { timestamp: before[0] ?? fromS } as EncodedPacket,
  firstS: fromS,
  before,
  behind,
  lastSequence: Infinity,
})
const two = [plan(2, 4, 0, [0, 1], [4, 5, 6]), plan(8, 9, 2, [7], [])]

it('hidden pictures move everything behind them by one step each', () => {
  const placed = placePictures(two, 0)
  expect(placed[0]?.movedS).toBeCloseTo(2 * hiddenStepS, 9)
  expect(placed[1]?.movedS).toBeCloseTo(6 * hiddenStepS, 9)
  expect(placed[1]?.timeOf(8)).toBeCloseTo(2 + 6 * hiddenStepS, 9)
  expect(movedAt(placed, 2, 0)).toBe(placed[1]?.movedS)
  expect(movedAt(placed, 1.9, 0)).toBe(placed[0]?.movedS)
})

it('no two pictures have the same time, and hidden ones keep their order', () => {
  const [first, second] = placePictures(two, 0)
  const times = [
    ...[0, 1, 2, 3, 4, 5, 6].map((time) => first?.timeOf(time) ?? 0),
    ...[7, 8].map((time) => second?.timeOf(time) ?? 0),
  ]
  expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
})

it('one hidden picture is not named as a part; two are', () => {
  expect(hiddenParts([plan(2, 4, 0, [1], [4])], 0)).toEqual([])
  expect(hiddenParts([plan(2, 4, 0, [0, 1], [4, 5])], 10)).toEqual([
    { fromS: 10, toS: 12 },
    { fromS: 14, toS: 15 },
  ])
})
