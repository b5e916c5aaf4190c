import mongoose, { Schema } from 'mongoose'
import './mongo.ts'

const model = mongoose.model('Thing', new Schema({ _id: String, name: String, owner: String }))

/** What would be asked of the database; throws what mongoose says to it. */
function filterOf(filter: object): unknown {
  // As `exec` does it, but for the asking.
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
  ])('does not take %s for one', (_what, filter) => {
    expect(() => filterOf(filter)).toThrow(/Cast to string failed/)
  })

  it('with a field nobody knows is refused, and does not match everything', () => {
    expect(() => filterOf({ nobody: 'knows' })).toThrow(/strictQuery/)
  })

  it('with values is taken as it is', () => {
    expect(filterOf({ name: 'a' })).toEqual({ name: 'a' })
  })
})
