import { splitLinks } from './message-links.ts'

const links = (content: string) => splitLinks(content).flatMap(({ href }) => href ?? [])
const shown = (content: string) =>
  splitLinks(content)
    .map(({ text }) => text)
    .join('')

it('finds http and https addresses and keeps the text around them', () => {
  expect(splitLinks('see https://example.com/a?b=1#c and http://example.org now')).toEqual([
    { text: 'see ' },
    { text: 'https://example.com/a?b=1#c', href: 'https://example.com/a?b=1#c' },
    { text: ' and ' },
    { text: 'http://example.org', href: 'http://example.org/' },
    { text: ' now' },
  ])
})

it('leaves punctuation and a closing bracket after an address out of the link', () => {
  expect(links('(https://example.com/x).')).toEqual(['https://example.com/x'])
  expect(links('https://example.com/a_(b)')).toEqual(['https://example.com/a_(b)'])
  expect(links('Is it https://example.com/?')).toEqual(['https://example.com/'])
})

it('makes no link of any other scheme', () => {
  expect(links('javascript:alert(1) file:///etc mailto:a@b.c data:text/html,x ftp://a.b')).toEqual([])
  expect(links('https://')).toEqual([])
})

it('the parts of a message are its whole text', () => {
  for (const content of ['', 'plain', 'https://a.b', 'a https://a.b, c', '\n\nhttps://a.b\n'])
    expect(
      splitLinks(content)
        .map(({ text }) => text)
        .join(''),
    ).toBe(content)
})

it.each([
  ['，', 'https://a.example/x，然后'],
  ['。', 'https://a.example/x。'],
  ['（ ）', '（https://a.example/x）'],
  ['（', 'https://a.example/x（see there）'],
  ['「 」', '「https://a.example/x」'],
  ['“ ”', 'he said “https://a.example/x”'],
  ['„ “', '„https://a.example/x“'],
  ['« »', '«https://a.example/x»'],
  ['‘ ’', '‘https://a.example/x’'],
  ['**', '**https://a.example/x**'],
  ['** in its middle', 'https://a.example/x**so bold**'],
  ['*', '*https://a.example/x*'],
  ['_', '_https://a.example/x_'],
  ['~~', '~~https://a.example/x~~'],
  ['a backtick', '`https://a.example/x`'],
  ['[ ]', '[https://a.example/x]'],
  ['] of Markdown', '[https://a.example/x](there)'],
  ['{ }', '{https://a.example/x}'],
  ['…', 'https://a.example/x…'],
  ['an arrow', 'https://a.example/x→'],
  ['an emoji', 'https://a.example/x😀'],
  ['a zero width space', 'https://a.example/x\u200bnext'],
  ['an Arabic comma', 'https://a.example/x،'],
  ['a danda', 'https://a.example/x।'],
  ['a full stop before a mark of direction', 'https://a.example/x.\u200f'],
  ['a bracket before a mark of direction', '(https://a.example/x)\u200e.'],
])('an address ends at %s', (_what, content) => {
  expect(links(content)).toEqual(['https://a.example/x'])
})

it.each([
  'https://en.example.org/wiki/Foo_(bar)',
  'https://example.org/a*b/~me/_x_',
  'http://[::1]:4000/x',
  'https://example.org/?q=a|b&c={d}',
])('%s is an address as a whole', (content) => {
  expect(splitLinks(content)).toHaveLength(1)
  expect(shown(content)).toBe(content)
  expect(links(content)).toHaveLength(1)
})

it('letters of all scripts belong to an address', () => {
  expect(links('https://ja.example.org/wiki/ドナルド・キーン と')).toEqual([
    new URL('https://ja.example.org/wiki/ドナルド・キーン').href,
  ])
})

it('controls of direction and joiners are left out of a link, as the browser leaves them out', () => {
  expect(splitLinks('https://exam\u200eple\u202e.com/\xadx')).toEqual([
    { text: 'https://example.com/x', href: 'https://example.com/x' },
  ])
})

it.each([
  ['Cyrillic among Latin', 'https://аpple.com/x', 'https://xn--pple-43d.com/x'],
  ['Cyrillic alone', 'https://аррӏе.com', 'https://xn--80ak6aa92e.com'],
  ['Greek among Latin', 'https://gοοgle.com', 'https://xn--ggle-0nda.com'],
  ['Cherokee', 'https://Ꭵ.com', `https://${new URL('https://Ꭵ.com').hostname}`],
  [
    'Latin letters with a mark of rare use',
    'https://paypaĺ.com',
    `https://${new URL('https://paypaĺ.com').hostname}`,
  ],
  [
    'a Katakana letter like a slash',
    'https://example.comノx.example.org',
    `https://${new URL('https://example.comノx.example.org').hostname}`,
  ],
  ['full width', 'https://ｅxample.com/a', 'https://example.com/a'],
])('a name that imitates another script is shown as the browser asks for it: %s', (_what, content, text) => {
  expect(shown(content)).toBe(text)
  expect(links(content)).toEqual([new URL(content).href])
})

it.each([
  'https://münchen.example.org/',
  'https://пример.рф/',
  'https://例え.jp/',
  'https://مثال.example.org',
])('a name that cannot be mistaken is shown as it was written: %s', (content) =>
  expect(shown(content)).toBe(content),
)

it('an address that begins with another name before an @ is no link', () => {
  expect(links('https://example.com@evil.example/ https://user:pw@a.example')).toEqual([])
})
