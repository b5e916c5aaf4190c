import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const repoRoot = join(import.meta.dirname, '../../..')

/**
 * The number of requirements of level 1 and 2 in each section of ASVS 5.0.0. They come first, so their numbers begin
 * with 1.
 */
const sections = [
  '1.1:2 1.2:9 1.3:11 1.4:3 1.5:2',
  '2.1:3 2.2:3 2.3:4 2.4:1',
  '3.2:2 3.3:4 3.4:6 3.5:5 3.7:2',
  '4.1:3 4.2:1 4.3:2 4.4:4',
  '5.1:1 5.2:3 5.3:2 5.4:3',
  '6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4',
  '7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2',
  '8.1:2 8.2:3 8.3:1 8.4:1',
  '9.1:3 9.2:4',
  '10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3',
  '11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1',
  '12.1:3 12.2:2 12.3:4',
  '13.1:1 13.2:5 13.3:2 13.4:5',
  '14.1:2 14.2:4 14.3:3',
  '15.1:3 15.2:3 15.3:7',
  '16.1:1 16.2:5 16.3:4 16.4:3 16.5:3',
  '17.1:1 17.2:4 17.3:2',
]
const numbers = sections
  .flatMap((chapter) => chapter.split(' '))
  .flatMap((entry) => {
    const [section, count] = entry.split(':')
    return Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`)
  })

const statuses = ['met', 'not met', 'n/a']
const page = readFileSync(join(repoRoot, 'docs/asvs.md'), 'utf8')
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

interface Row {
  number: string
  level: string
  words: string
  status: string
  proof: string
}

const rows = (page.match(/^\| \d+\.\d+\.\d+ .*$/gm) ?? []).map((line): Row => {
  const [number = '', level = '', words = '', status = '', proof = '', ...more] = cellsOf(line)
  return { number, level, words, status, proof: more.length > 0 ? '' : proof }
})
/** The files of the repository that a cell names. */
const filesIn = (cell: string) =>
  [...cell.matchAll(/`([\w@./-]+\.(?:tsx?|js|json|md|conf))`/g)].map(([, path = '']) => path)

describe('docs/asvs.md', () => {
  it('has each of the 253 requirements once, in order', () => {
    expect(numbers).toHaveLength(253)
    expect(rows.map(({ number }) => number)).toEqual(numbers)
  })

  it('names each requirement in at most eight words, and has a known status and a reason', () => {
    const faulty = rows.filter(
      ({ words, status, proof }) =>
        words === '' || words.split(' ').length > 8 || !statuses.includes(status) || proof === '',
    )
    expect(faulty).toEqual([])
  })

  it('names a file for each requirement that is met', () => {
    const unproven = rows.filter(({ status, proof }) => status === 'met' && filesIn(proof).length === 0)
    expect(unproven.map(({ number }) => number)).toEqual([])
  })

  it('names existing files only', () => {
    const named = filesIn(page)
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter((path) => !existsSync(join(repoRoot, path)))).toEqual([])
  })

  it('has the right sums', () => {
    const sumsOf = (name: string, found: readonly Row[]) =>
      [
        name,
        found.length,
        ...statuses.map((status) => found.filter((row) => row.status === status).length),
      ].map(String)
    const chapters = [...page.matchAll(/^## ((\d+) .+)$/gm)].map(([, name = '', chapter]) =>
      sumsOf(
        name,
        rows.filter(({ number }) => number.split('.')[0] === chapter),
      ),
    )
    const levels = ['1', '2'].map((level) =>
      sumsOf(
        `level ${level}`,
        rows.filter((row) => row.level === level),
      ),
    )
    expect(chapters).toHaveLength(17)
    const [sums = ''] = page.split('\n## ')
    const written = (sums.match(/^\| .*\d \|$/gm) ?? []).map(cellsOf)
    expect(written).toEqual([...chapters, sumsOf('all', rows), ...levels])
  })
})
