import fc from 'fast-check'

/** Values that a query language could read as operators. */
export const operators: readonly object[] = [
  { $gt: '' },
  { $ne: null },
  { $regex: '.*' },
  { $in: ['a', 'b'] },
  { $where: 'while (true) {}' },
]

/** Objects that would change every object if they were merged into one. */
export const prototypes: readonly object[] = [
  JSON.parse('{"__proto__":{"isAdmin":true}}') as object,
  { constructor: { prototype: { isAdmin: true } } },
  { toString: 'x', valueOf: 'x', length: 1e9 },
]

/** Text that breaks code which expects one character per letter, or which builds headers of it. */
export const unicodeTraps: readonly string[] = [
  'a\ud800b',
  '\udc00',
  'a\u0000b',
  'abc\u202egpj.exe',
  'a\u200b\u200d\u2060b',
  '\u200b\u200b\u200b\u200b',
  '\ufeffabcd',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  `e${'\u0301'.repeat(200)}`,
  '１２３４５６',
  '١٢٣٤٥٦',
  'İİİİ',
  'a\r\nset-cookie: b=c',
  'a\uffffb',
]

/** The edges of every JSON type. */
const edges: readonly unknown[] = [null, true, 0, -1, 1.5, 1e21, '', '   ', '1', [], {}]

export const megabyte: string = 'm'.repeat(1024 * 1024)
const tooLong = ['k'.repeat(60 * 1024), megabyte]

/** Values for one field; `right` is one that the contract accepts. The seed makes every run the same. */
export function fieldValues(right: unknown): unknown[] {
  const generated = fc.sample(fc.jsonValue({ maxDepth: 2 }), { seed: 13, numRuns: 10 })
  const traps = typeof right === 'string' ? unicodeTraps : []
  return [...edges, ...operators, ...prototypes, ...traps, ...tooLong, [right], [right, right], ...generated]
}
