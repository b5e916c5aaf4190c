import { writtenTimes } from './written-times.ts'

const minute = 60_000
const storedAt = (index: number) => Date.UTC(2026, 10, 27, 12) + index * 5 * minute

/**
 * Each number is the minutes between the writing that a message states and its storing. Returns the messages that
 * waited, with their waits.
 */
function waited(...minutesBefore: (number | null)[]) {
  const messages = minutesBefore.map((minutes, index) => ({
    senderId: 'ben',
    storedAtMs: storedAt(index),
    atMs: minutes === null ? null : storedAt(index) - minutes * minute,
  }))
  return writtenTimes(messages).flatMap((ms, index) =>
    ms === null ? [] : [[index, (storedAt(index) - ms) / minute]],
  )
}

it.each<[string, (number | null)[], number[][]]>([
  ['in time', [0, 1, 10, 0], []],
  ['one that waited', [0, 0, 45, 0], [[2, 45]]],
  ['the newest waited', [0, 1, 45], [[2, 45]]],
  ['the first waited', [45, 0, 0], [[0, 45]]],
  [
    'several waited together',
    [0, 60, 55, 50, 0],
    [
      [1, 60],
      [2, 55],
      [3, 50],
    ],
  ],
  ['a clock three hours behind', [180, 181, 180, 182], []],
  ['a clock three hours behind, and one that waited', [180, 180, 300, 180], [[2, 120]]],
  ['a clock that is put right', [180, 180, 180, 0, 0, 0], []],
  ['a clock that goes wrong', [0, 0, 0, 180, 180, 180], []],
  ['a clock five hours ahead', [-300, -300, -299], []],
  ['one alone, whose clock nobody knows', [180], []],
  ['messages that do not tell', [null, null], []],
])('of messages it is told which waited, by the server’s clock: %s', (_what, minutesBefore, told) => {
  expect(waited(...minutesBefore)).toEqual(told)
})

it('the clock of one person reveals nothing about another', () => {
  const message = (senderId: string, index: number, minutes: number) => ({
    senderId,
    storedAtMs: storedAt(index),
    atMs: storedAt(index) - minutes * minute,
  })
  const messages = [
    message('ann', 0, 0),
    message('ben', 1, 180),
    message('ann', 2, 0),
    message('ben', 3, 180),
  ]
  expect(writtenTimes(messages)).toEqual([null, null, null, null])
})
