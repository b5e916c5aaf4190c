import { decimalDigits } from './decimal-digits.ts'

it.each([
  ['0123456789', 'ASCII'],
  ['٠١٢٣٤٥٦٧٨٩', 'Arabic'],
  ['۰۱۲۳۴۵۶۷۸۹', 'Persian'],
  ['०१२३४५६७८९', 'Devanagari'],
  ['০১২৩৪৫৬৭৮৯', 'Bengali'],
  ['๐๑๒๓๔๕๖๗๘๙', 'Thai'],
  ['０１２３４５６７８９', 'full width'],
  ['𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗', 'mathematical bold'],
  ['𝟢𝟣𝟤𝟥𝟦𝟧𝟨𝟩𝟪𝟫', 'mathematical sans-serif'],
])('%s (%s) are the digits from 0 to 9', (digits) => {
  expect(decimalDigits(digits)).toBe('0123456789')
})

it('every decimal digit of Unicode becomes its value, and nothing else changes', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
  const digits = all.filter((character) => /\p{Nd}/u.test(character)).map(decimalDigits)
  expect(digits.length % 10).toBe(0)
  expect(digits).toEqual(digits.map((_, index) => String(index % 10)))
  const others = ['½', '²', '①', '一', 'a', '😀', '\ud800'].join(' ')
  expect(decimalDigits(others)).toBe(others)
})
