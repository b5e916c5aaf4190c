import mongoose, { Schema } from 'mongoose'
import './mongo.ts'

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
