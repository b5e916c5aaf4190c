import { isEmojiOnly, isLong, shownText } from './message-text.ts'

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

it.each([
  ['a\n\n\n\n\nb', 'a\n\nb'],
  ['a\n\nb\n\nc', 'a\n\nb\n\nc'],
  ['a\n \u200b\n\u2800\n\u3164\nb', 'a\n\nb'],
  ['a\r\n\r\n\r\n\r\nb\u2028\u2029\x85c', 'a\n\nb\n\nc'],
  ['\n\n\na\n\n\n', 'a'],
  ['  indented\n\tmore', '  indented\n\tmore'],
])('of the lines of %j that show nothing, at most one stays between others', (content, shown) => {
  expect(shownText(content)).toBe(shown)
})

it('controls that turn the direction of what follows are left out; marks of right-to-left text stay', () => {
  expect(shownText('photo\u202egpj.exe\u202c')).toBe('photogpj.exe')
  expect(shownText('\u2067שלום\u2069\u200f!')).toBe('שלום\u200f!')
})
