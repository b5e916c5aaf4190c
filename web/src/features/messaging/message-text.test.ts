import { isEmojiOnly, isLong, splitLinks } from './message-text.ts'

const links = (content: string) => splitLinks(content).flatMap(({ href }) => href ?? [])

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

it('enlarges one to three emoji and nothing else', () => {
  for (const content of ['😀', ' 👍🏽 ', '👩‍👩‍👧 🎉🇫🇷']) expect(isEmojiOnly(content)).toBe(true)
  for (const content of ['', 'ok 😀', '1', '😀😀😀😀']) expect(isEmojiOnly(content)).toBe(false)
})

it('a message is long from 21 lines on, also without line breaks', () => {
  expect(isLong('a\n'.repeat(19))).toBe(false)
  expect(isLong('a\n'.repeat(20))).toBe(true)
  expect(isLong('a'.repeat(800))).toBe(false)
  expect(isLong('a'.repeat(801))).toBe(true)
})
