import { jest } from '@jest/globals'
import mongoose from 'mongoose'
import { transact } from './transact.ts'

const { mongo } = mongoose

let nowMs: number
beforeEach(() => {
  nowMs = 0
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => void jest.restoreAllMocks())

const unknownOutcome = () => {
  const error = new mongo.MongoNetworkError('broke')
  error.addErrorLabel('UnknownTransactionCommitResult')
  return error
}

/** Runs work whose commit takes a second and fails this many times. */
async function commitFailing(times: number) {
  const calls: string[] = []
  let commits = 0
  const session = {
    startTransaction: () => calls.push('start'),
    commitTransaction: () => {
      calls.push('commit')
      nowMs += 1000
      return ++commits > times ? Promise.resolve() : Promise.reject(unknownOutcome())
    },
    abortTransaction: () => Promise.resolve(calls.push('abort')),
    endSession: () => Promise.resolve(calls.push('end')),
  }
  const connection = { startSession: () => Promise.resolve(session) }
  const work = () => Promise.resolve(calls.push('work'))
  const outcome = await transact(connection as never, work).then(
    () => 'stored',
    (error: unknown) => error,
  )
  return { calls, outcome }
}

it('a commit whose outcome is unknown is repeated, without repeating the work', async () => {
  const { calls, outcome } = await commitFailing(2)
  expect(outcome).toBe('stored')
  expect(calls).toEqual(['start', 'work', 'commit', 'commit', 'commit', 'end'])
})

it('a commit whose outcome is still unknown after three seconds is answered with 503, and nothing is undone', async () => {
  const { calls, outcome } = await commitFailing(Infinity)
  expect(outcome).toMatchObject({ kind: 'unavailable', status: 503 })
  expect(calls).toEqual(['start', 'work', 'commit', 'commit', 'commit', 'end'])
})
