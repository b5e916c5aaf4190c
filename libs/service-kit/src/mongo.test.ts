import { jest } from '@jest/globals'
import mongoose, { Schema } from 'mongoose'
import type { Connection } from 'mongoose'
import type { Logger } from './logger.ts'
import { connectMongo, pingMongo } from './mongo.ts'

const model = mongoose.model('Thing', new Schema({ _id: String, name: String, owner: String }))

/** The filter that would be sent to the database; throws what mongoose refuses. */
function filterOf(filter: object): unknown {
  // The first steps of `exec`, without the query itself.
  const query = model.find(filter) as unknown as {
    _castConditions(): void
    error(): Error | undefined
    getFilter(): unknown
  }
  query._castConditions()
  const error = query.error()
  if (error) throw error
  return query.getFilter()
}

describe('a filter', () => {
  it.each([
    ['an operator', { name: { $ne: null } }],
    ['an operator inside a list', { name: { $in: ['a', 'b'] } }],
    ['a pattern by operator', { name: { $regex: '.*' } }],
  ])('refuses %s instead of a string', (_what, filter) => {
    expect(() => filterOf(filter)).toThrow(/Cast to string failed/)
  })

  it('refuses a field that is not in the schema, instead of matching everything', () => {
    expect(() => filterOf({ unknown: 'field' })).toThrow(/strictQuery/)
  })

  it('keeps plain values', () => {
    expect(filterOf({ name: 'a' })).toEqual({ name: 'a' })
  })
})

describe('a document', () => {
  it('refuses a field that is not in the schema, instead of dropping it', () => {
    expect(() => new model({ _id: 'a', unknown: 'field' })).toThrow(
      /not in schema and strict mode is set to throw/,
    )
  })

  it('keeps the fields of its schema', () => {
    expect(new model({ _id: 'a', name: 'b' }).toObject()).toMatchObject({ _id: 'a', name: 'b' })
  })
})

it('mongoose creates no index and no collection by itself, and queues no operation', () => {
  expect(mongoose.get('autoIndex')).toBe(false)
  expect(mongoose.get('autoCreate')).toBe(false)
  expect(mongoose.get('bufferCommands')).toBe(false)
})

describe('a database that cannot be reached at start', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'Date'] }))
  afterEach(() => void jest.useRealTimers())

  it.each([
    ['30 s', 30_000, {}],
    ['the given time', 600_000, { startTimeoutMs: 600_000 }],
  ])('is tried every 250 ms until more than %s have passed', async (_, timeoutMs, options) => {
    const startedAt = Date.now()
    const passing = [timeoutMs, 1]
    let warnings = 0
    const warn = (_fields: unknown, text: string) => {
      if (text.includes('trying again')) jest.advanceTimersByTime(passing[warnings++] as number)
    }
    const open = mongoose.connections.length
    const connecting = connectMongo('mongodb://127.0.0.1:0/a', { warn } as unknown as Logger, options)
    await expect(connecting).rejects.toThrow('Invalid port')
    expect(warnings).toBe(2)
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2 * 250 - 5)
    expect(mongoose.connections).toHaveLength(open)
  })
})

it('a database is not ready when it does not answer a ping', async () => {
  const command = () => Promise.reject(new Error('away'))
  const connection = { db: { admin: () => ({ command }) } } as unknown as Connection
  await expect(pingMongo(connection)).rejects.toThrow('away')
})
