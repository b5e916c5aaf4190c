import { jest } from '@jest/globals'
import { watchUpload } from './upload-watch.ts'

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

function watch() {
  const told: (string | null)[] = []
  let onLoss = () => {}
  const loss = {
    isLasting: false,
    subscribe: (listener: () => void) => {
      onLoss = listener
      return () => undefined
    },
  }
  const watched = watchUpload({ media: { loss }, tell: (delay) => told.push(delay) })
  watched.begin()
  const setLost = (isLasting: boolean) => {
    loss.isLasting = isLasting
    onLoss()
  }
  return { ...watched, told, setLost }
}
const slow = 'The server does not take it at the moment. We keep trying.'

it('an upload that does not advance is explained within 10 s, and a retry of the same part is no advance', () => {
  const { told, advance } = watch()
  advance(0.5)
  jest.advanceTimersByTime(5000)
  advance(0.2)
  expect(told).toEqual([])
  jest.advanceTimersByTime(4900)
  expect(told).toEqual([slow])
  advance(0.6)
  expect(told).toEqual([slow, null])
})

it('a lost connection is named at once, and the sentence goes when it is back', () => {
  const { told, setLost } = watch()
  setLost(true)
  expect(told).toEqual(['No connection. It goes on when you are back.'])
  jest.advanceTimersByTime(20_000)
  expect(told).toHaveLength(1)
  setLost(false)
  expect(told.at(-1)).toBeNull()
})

it('a finished upload says nothing any more', () => {
  const { told, end } = watch()
  end()
  jest.advanceTimersByTime(20_000)
  expect(told).toEqual([])
})
