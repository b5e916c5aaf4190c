import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anchorsOf, brokenLinks } from './links/broken-links.ts'

describe('anchorsOf', () => {
  it('names headings as GitHub does', () => {
    const page =
      '# What to expect: RPO and RTO\n## `a_b` & [c](d.md)\n## Same\n## Same\n```\n# no heading\n```\n'
    expect([...anchorsOf(page)]).toEqual(['what-to-expect-rpo-and-rto', 'a_b--c', 'same', 'same-1'])
  })
})

describe('brokenLinks', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sumlock-links-'))
    await writeFile(join(folder, 'b.md'), '# There\n')
  })
  afterAll(() => rm(folder, { recursive: true }))

  const linksOf = async (text: string) => {
    await writeFile(join(folder, 'a.md'), text)
    return brokenLinks(['a.md'], folder)
  }

  it.each(['[x](b.md)', '[x](b.md#there)', '[x](#own)\n# Own', '[x](https://example.com/#a)', '`[x](c.md)`'])(
    'accepts %s',
    async (text) => {
      expect(await linksOf(text)).toEqual([])
    },
  )

  it.each([
    ['[x](c.md)', 'a.md: c.md: there is no such file'],
    ['[x](b.md#elsewhere)', 'a.md: b.md#elsewhere: b.md has no such heading'],
    ['[x](#gone)', 'a.md: #gone: a.md has no such heading'],
  ])('reports %s', async (text, line) => {
    expect(await linksOf(text)).toEqual([line])
  })
})
