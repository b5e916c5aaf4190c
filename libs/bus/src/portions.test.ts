import { inPortions } from './portions.ts'

const record = (name: string, bytes: number) => ({ key: null, value: name.padEnd(bytes, '.') })
const names = (portions: { value: string }[][]) =>
  portions.map((portion) => portion.map(({ value }) => value[0]).join(''))

describe('inPortions', () => {
  it.each([
    ['nothing', [], []],
    ['what fits', [record('a', 5), record('b', 5)], ['ab']],
    ['one byte too much', [record('a', 5), record('b', 6)], ['a', 'b']],
    [
      'one that is too large by itself',
      [record('a', 2), record('b', 50), record('c', 2), record('d', 2)],
      ['a', 'b', 'cd'],
    ],
  ])('keeps the order and the limit: %s', (_case, records, expected) => {
    expect(names(inPortions(records, 10))).toEqual(expected)
  })

  it('counts bytes, not letters, and the keys as well', () => {
    expect(
      inPortions(
        [
          { key: 'k', value: 'ää' },
          { key: 'k', value: 'ää' },
        ],
        9,
      ),
    ).toHaveLength(2)
  })
})
