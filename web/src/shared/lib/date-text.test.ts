import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dateAndTimeText, dateText, dayText, shortDateText } from './date-text.ts'

const now = new Date(2026, 10, 27, 14, 5)

it('dates have their month as a word, and their year unless it is the present one', () => {
  expect(dateText(now)).toBe('27 Nov 2026')
  expect(shortDateText(now, now)).toBe('27 Nov')
  expect(shortDateText(new Date(2025, 2, 4), now)).toBe('4 Mar 2025')
  expect(dayText(now, now)).toBe('Fri, 27 Nov')
  expect(dayText(new Date(2025, 2, 4), now)).toBe('4 Mar 2025')
  expect(dateAndTimeText(now)).toMatch(/^27 Nov 2026, 0?[0-9:]+( PM)?$/)
})

it('no other file of the client writes a date by itself', () => {
  const sources = join(import.meta.dirname, '../..')
  const writers = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) =>
      /toLocale(?:Date|Time)?String\(|DateTimeFormat/.test(readFileSync(join(sources, file), 'utf8')),
    )
  expect(writers).toEqual(['shared/lib/date-text.ts'])
})
