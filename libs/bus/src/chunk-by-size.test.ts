import { chunkBySize } from './chunk-by-size.ts'

const record = (name: string, bytes: number) => ({ key: null, value: name.padEnd(bytes, '.') })
const names = (chunks: { value: string }[][]) =>
  chunks.map((chunk) => chunk.map(({ value }) => value[0]).join(''))

describe('chunkBySize', () => {
  it.each([
    ['no records', [], []],
    ['records that fit together', [record('a', 5), record('b', 5)], ['ab']],
    ['one byte too many', [record('a', 5), record('b', 6)], ['a', 'b']],
    [
      'a record that is too large by itself',
      [record('a', 2), record('b', 50), record('c', 2), record('d', 2)],
      ['a', 'b', 'cd'],
    ],
  ])('keeps the order and the limit for %s', (_case, records, expected) => {
    expect(names(chunkBySize(records, 10))).toEqual(expected)
  })

  it('counts bytes instead of characters, and the keys as well', () => {
    const records = [
      { key: 'k', value: 'ää' },
      { key: 'k', value: 'ää' },
    ]
    expect(chunkBySize(records, 9)).toHaveLength(2)
    expect(chunkBySize(records, 10)).toHaveLength(1)
  })
})
