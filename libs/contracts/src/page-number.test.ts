import { listMessages } from './messaging-routes.ts'

const { query } = listMessages

describe('a number in a query', () => {
  it.each(['', ' ', ' 5', '5 ', '+5', '-1', '0x10', '1e3', '5.0', '1_0', '٥', 'true', 'null', '99999999999'])(
    'is refused unless it is digits: %j',
    (text) => {
      for (const name of ['after', 'before', 'limit']) {
        expect([name, query.safeParse({ [name]: text }).success]).toEqual([name, false])
      }
    },
  )

  it.each([true, null, [], ['5'], {}, 1.5, Infinity])('is refused as %j', (value) => {
    expect(query.safeParse({ after: value }).success).toBe(false)
  })

  it('is read as decimal digits, within its bounds', () => {
    expect(query.parse({ after: '0', before: '010', limit: '7' })).toEqual({ after: 0, before: 10, limit: 7 })
    expect(query.parse({})).toEqual({ limit: 50 })
    expect(query.safeParse({ limit: '0' }).success).toBe(false)
    expect(query.safeParse({ limit: '100000' }).success).toBe(false)
  })
})
