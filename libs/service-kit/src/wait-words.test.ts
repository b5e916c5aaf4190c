import { waitWords } from './wait-words.ts'

it.each([
  [0, '1 second'],
  [1001, '2 seconds'],
  [60_000, '60 seconds'],
  [60_001, '2 minutes'],
  [3_599_000, '60 minutes'],
  [5_399_000, '90 minutes'],
  [5_400_000, '2 hours'],
  [86_400_000, '24 hours'],
])('a wait of %i ms reads "%s"', (waitMs, words) => {
  expect(waitWords(waitMs)).toBe(words)
})
