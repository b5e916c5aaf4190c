import { byteRangeOf } from './byte-range.ts'

it.each<[string | undefined, readonly [number, number] | null]>([
  [undefined, null],
  ['bytes=0-0', [0, 0]],
  ['bytes=10-19', [10, 19]],
  ['bytes=10-', [10, 99]],
  ['bytes=90-1000', [90, 99]],
  ['bytes=-10', [90, 99]],
  ['bytes=-1000', [0, 99]],
  ['bytes=-', null],
  ['bytes=20-10', null],
  ['bytes=a-b', null],
  ['lines=0-1', null],
])('the range %s of 100 bytes', (header, range) => {
  expect(byteRangeOf(header, 100)).toEqual(range)
})

it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=0-1,5-6'])(
  'the range %s of 100 bytes is refused',
  (header) => {
    expect(() => byteRangeOf(header, 100)).toThrow('This part of the file does not exist.')
  },
)
