import { findAll, foldText } from './fold-text.ts'

it.each([
  ['Café', 'CAFE'],
  ['CAFE\u0301', 'café'],
  ['Straße', 'STRASSE'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδός'],
  ['ﬁne', 'FINE'],
  ['a\u00a0b\nc', 'A B C'],
  ['Ёлка', 'елка'],
  ['❤️', '❤'],
  ['مُحَمَّد', 'محمد'],
  ['か\u3099', 'が'],
])('%j and %j are the same text to a search', (one, other) => {
  expect(foldText(one)).toBe(foldText(other))
})

it.each([
  ['が', 'か'],
  ['की', 'का'],
  ['ab', 'a b'],
  ['한', '하'],
])('%j and %j differ', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other))
})

const marked = (text: string, query: string) =>
  findAll(text, foldText(query)).map(([from, to]) => text.slice(from, to))

it.each([
  ['Tea, TEA and tea', 'tea', ['Tea', 'TEA', 'tea']],
  ['Cafe\u0301 au lait', 'fe au', ['fe\u0301 au']],
  ['Die Straße', 'sse', ['ße']],
  ['ﬁﬁ', 'f', ['ﬁ', 'ﬁ']],
  ['aaaa', 'aa', ['aa', 'aa']],
  ['👩‍👧 and 👍🏽', '👍🏽', ['👍🏽']],
  ['👍🏽👍', '👍', ['👍🏽', '👍']],
  ['a 👩‍👩‍👧‍👦 b', '👩', ['👩‍👩‍👧‍👦']],
  ['👩‍❤️‍👨', '❤', ['👩‍❤️‍👨']],
  ['🏴\u{e0067}\u{e0062}\u{e007f}!', '🏴', ['🏴\u{e0067}\u{e0062}\u{e007f}']],
  ['🇩🇪🇫🇷', '🇫🇷', ['🇫🇷']],
  ['nothing', 'x', []],
  ['nothing', '', []],
])('in %j, the matches of %j are found where they are shown', (text, query, found) => {
  expect(marked(text, query)).toEqual(found)
})

it('a text of any characters folds to what the places of its matches are counted in', () => {
  const text = 'ΣΑΣ ﬃ ǅ ½ ﷺ e\u0301\u0302 \u0301x Ω각'
  expect(findAll(text, foldText(text))).toEqual([[0, text.length]])
})
