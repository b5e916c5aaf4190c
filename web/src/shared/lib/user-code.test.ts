import { codeInLink, linkWithCode } from './code-link.ts'
import { groupUserCode } from './user-code.ts'

it.each([
  ['7kq2', '7KQ2'],
  ['7kq2m', '7KQ2-M'],
  ['7KQ2-M9XD-3', '7KQ2-M9XD-3'],
  [' 7kq2 m9xd 3 ', '7KQ2-M9XD-3'],
  ['7kq2m9xd3', '7KQ2-M9XD-3'],
  ['7KQ2–M9XD–3', '7KQ2-M9XD-3'],
  ['７ＫＱ２Ｍ９ＸＤ３', '7KQ2-M9XD-3'],
  ['٧kq٢-m٩xd-٣', '7KQ2-M9XD-3'],
  ['۷KQ۲M۹XD۳', '7KQ2-M9XD-3'],
  ['7kq2-oil1-3', '7KQ2-0111-3'],
  ['https://calc.example/#7KQ2-M9XD-3', '7KQ2-M9XD-3'],
  ['https://calc.example:8443/#7kq2m9xd3', '7KQ2-M9XD-3'],
  ['My code is 7KQ2-M9XD-3, thanks', '7KQ2-M9XD-3'],
  ['7KQ2-M9XD-3X', '7KQ2-M9XD-3X'],
  ['-', ''],
])('a code typed or pasted as "%s" becomes %s', (text, code) => {
  expect(groupUserCode(text)).toBe(code)
})

it('a link carries a code in its fragment, and nothing else is taken for one', () => {
  const link = linkWithCode('7KQ2-M9XD-3', 'https://calc.example')
  expect(link).toBe('https://calc.example/#7KQ2-M9XD-3')
  expect(codeInLink(link)).toBe('7KQ2-M9XD-3')
  for (const other of ['https://calc.example/', 'https://calc.example/#', '/#about', '/#7KQ2-M9XD-3-4'])
    expect(codeInLink(other)).toBeNull()
})
