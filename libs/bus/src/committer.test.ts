import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import type { Consumer } from 'kafkajs'
import { createCommitter } from './committer.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

function committer() {
  const commits: string[][] = []
  const state = { isStopping: false, isAway: false, warnings: 0 }
  const emitter = new EventEmitter()
  const consumer = Object.assign(emitter, {
    events: { REBALANCING: 'rebalancing', GROUP_JOIN: 'join' },
    commitOffsets: (offsets: { topic: string; partition: number; offset: string }[]) => {
      if (state.isAway) return Promise.reject(new Error('away'))
      commits.push(offsets.map(({ topic, partition, offset }) => `${topic}/${partition}: ${offset}`))
      return Promise.resolve()
    },
  }) as unknown as Consumer
  const logger = { warn: () => (state.warnings += 1) } as never
  return { ...createCommitter(consumer, logger, () => state.isStopping), commits, state, emitter }
}

it('commits once a second the offset behind the last handled event of each partition', async () => {
  const { add, batchEnded, commits } = committer()
  add('t', 0, '7')
  add('t', 0, '8')
  add('t', 1, '9007199254740993')
  await batchEnded()
  await jest.advanceTimersByTimeAsync(999)
  expect(commits).toEqual([])
  await jest.advanceTimersByTimeAsync(1)
  expect(commits).toEqual([['t/0: 9', 't/1: 9007199254740994']])
  await jest.advanceTimersByTimeAsync(5000)
  expect(commits).toHaveLength(1)
})

it('commits at the end of a batch while it stops, and before a rebalance', async () => {
  const { add, batchEnded, commits, state, emitter } = committer()
  add('t', 0, '1')
  emitter.emit('rebalancing')
  expect(commits).toEqual([['t/0: 2']])
  state.isStopping = true
  add('t', 0, '2')
  await batchEnded()
  expect(commits.at(-1)).toEqual(['t/0: 3'])
})

it('commits nothing that it handled before it joined the group again, and goes on after a failure', async () => {
  const { add, commits, state, emitter } = committer()
  add('t', 0, '1')
  emitter.emit('join')
  await jest.advanceTimersByTimeAsync(1000)
  expect(commits).toEqual([])
  state.isAway = true
  add('t', 0, '4')
  await jest.advanceTimersByTimeAsync(1000)
  expect(state.warnings).toBe(1)
  state.isAway = false
  add('t', 0, '5')
  await jest.advanceTimersByTimeAsync(1000)
  expect(commits).toEqual([['t/0: 6']])
})
