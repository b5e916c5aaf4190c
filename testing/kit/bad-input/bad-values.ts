export interface NamedValue {
  readonly name: string
  readonly value: unknown
}

const named = (values: Readonly<Record<string, unknown>>): NamedValue[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

/** One value of every JSON type and the edges of numbers; which of them are wrong depends on the field. */
export const anyTypes: readonly NamedValue[] = named({
  null: null,
  true: true,
  zero: 0,
  negative: -1,
  fraction: 1.5,
  'beyond safe integers': 1e21,
  'empty string': '',
  'blank string': '   ',
  'number as string': '1',
  'empty array': [],
  'empty object': {},
})

/** What a query language would take for an operator. */
export const operators: readonly NamedValue[] = named({
  $gt: { $gt: '' },
  $ne: { $ne: null },
  $regex: { $regex: '.*' },
  $in: { $in: ['a', 'b'] },
  $where: { $where: 'while (true) {}' },
})

/** Objects that would change every object if they were merged into one. */
export const prototypes: readonly NamedValue[] = [
  { name: '__proto__', value: JSON.parse('{"__proto__":{"isAdmin":true}}') },
  { name: 'constructor', value: { constructor: { prototype: { isAdmin: true } } } },
  { name: 'toString', value: { toString: 'x', valueOf: 'x', length: 1e9 } },
]

/** Text that breaks those who take a string for a row of letters. */
export const unicodeTraps: readonly NamedValue[] = named({
  'lone high surrogate': 'a\ud800b',
  'lone low surrogate': '\udc00',
  NUL: 'a\u0000b',
  'right-to-left override': 'abc\u202egpj.exe',
  'zero width': 'a\u200b\u200d\u2060b',
  'only zero width': '\u200b\u200b\u200b\u200b',
  'byte order mark': '\ufeffabcd',
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈',
  'combining marks': `e${'\u0301'.repeat(200)}`,
  'full width digits': '１２３４５６',
  'arabic digits': '١٢٣٤٥٦',
  'dotted capital i': 'İİİİ',
  'line breaks': 'a\r\nset-cookie: b=c',
  noncharacter: 'a\uffffb',
})

/** `JSON.stringify` for one megabyte of text, which no field may have. */
export const megabyte = 'm'.repeat(1024 * 1024)
