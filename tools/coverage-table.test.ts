import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { claimsIn } from './coverage-table/claims.ts'
import { faultsInRuns, faultsInSources, parseDeviations, parseFacts } from './coverage-table/facts.ts'
import type { Run } from './coverage-table/facts.ts'
import { renderTable } from './coverage-table/render-table.ts'

const tsv = (...rows: string[]) => ['id\tsections\tfact\tdeviation', ...rows, ''].join('\n')
const facts = parseFacts(
  tsv(
    'CALC-01\t2,9\tA digit | is a dot',
    'CALC-02\t2\tThe % key is dead\tD-01',
    'ERR-01\t8\tFaults are logged',
  ),
)
const file = 'web/src/keypad.test.ts'
const claim = (title: string) => claimsIn(file, `it('${title}', () => {})`)

describe('facts', () => {
  it('have an id, sections, a text and perhaps a deviation', () => {
    expect(facts[0]).toEqual({ id: 'CALC-01', sections: [2, 9], text: 'A digit | is a dot', deviation: null })
    expect(facts[1]?.deviation).toBe('D-01')
  })

  it.each([
    ['an id of one digit', 'CALC-1\t2\ttext'],
    ['a section beyond 10', 'CALC-01\t11\ttext'],
    ['no text', 'CALC-01\t2\t'],
    ['something else for a deviation', 'CALC-01\t2\ttext\tD-1'],
    ['a column too many', 'CALC-01\t2\ta\t\tb'],
    ['nothing at all', ''],
  ])('are refused by line when a row has %s', (_, row) =>
    expect(() => parseFacts(tsv('ERR-01\t8\ttext', row, 'ERR-02\t8\ttext'))).toThrow('Line 3 of the facts'),
  )

  it('are refused without their heading', () => {
    expect(() => parseFacts('CALC-01\t2\ttext')).toThrow('must begin with')
  })

  it('may refer to the first cell of a row of deviations, and to nothing else on that page', () => {
    expect(parseDeviations('| Id | x |\n| D-01 | see D-03 |\n| D-02 | y |\nD-04')).toEqual(['D-01', 'D-02'])
  })
})

describe('claims', () => {
  const names = (source: string) => claimsIn(file, source).map(({ id, name }) => `${id} ${name}`)

  it('are all ids in the name of a test, once each', () => {
    expect(names("test('CALC-01 CALC-02: dots (CALC-01)', () => {})")).toEqual([
      'CALC-01 CALC-01 CALC-02: dots (CALC-01)',
      'CALC-02 CALC-01 CALC-02: dots (CALC-01)',
    ])
  })

  it('reach from a describe to the tests inside it and no further', () => {
    const source = "describe('CALC-01', () => { describe('in', () => { it('a', f) }) }); it('b', f)"
    expect(names(source)).toEqual(['CALC-01 CALC-01 in a'])
  })

  it('are not found in comments, strings and other calls', () => {
    expect(
      names("// it('CALC-01')\nconst s = \"it('CALC-01', f)\"; log('CALC-01'); test.use({ a: 'CALC-01' })"),
    ).toEqual([])
  })

  it('leave terms such as SHA-256 alone', () => {
    expect(names("it('stores the SHA-256 as UTF-8', f)")).toEqual([])
  })

  it('count for a Playwright step under its own title, and are shown by its test', () => {
    const source = "test.describe('x', () => { test('y', async () => { await test.step('CALC-01 z', f) }) })"
    expect(names(source)).toEqual(['CALC-01 CALC-01 z'])
    expect(claimsIn(file, source)[0]?.reported.test('y')).toBe(true)
  })

  it('count for a test in a describe under both titles, and match the report of the test', () => {
    const source = "describe('CALC-01 x', () => { it('y', f) })"
    expect(names(source)).toEqual(['CALC-01 CALC-01 x y'])
    expect(claimsIn(file, source)[0]?.reported.test('CALC-01 x y')).toBe(true)
  })

  it('are read in JSX files', () => {
    expect(claimsIn('a.test.tsx', "const p = <p>it's</p>; it('CALC-01', f)")).toHaveLength(1)
  })

  it.each([
    [
      'a parameterized title',
      "it.each([1])('CALC-01: %i digits of $what.name', f)",
      'CALC-01: 12 digits of pi',
      'CALC-01: … digits of …',
    ],
    ['a table title', "it.each`a`('CALC-01 $a', f)", 'CALC-01 7', 'CALC-01 …'],
    ['a template', 'it(`CALC-01 ${key} is a dot`, f)', 'CALC-01 5 is a dot', 'CALC-01 … is a dot'],
    [
      'a plain title with per cent',
      "it('CALC-01: costs $what (100%s)', f)",
      'CALC-01: costs $what (100%s)',
      'CALC-01: costs $what (100%s)',
    ],
    ['a describe made elsewhere', "it('CALC-01', f)", 'keypad CALC-01', 'CALC-01'],
  ])('with %s match what the report says', (_, source, reportedName, shownName) => {
    const [found] = claimsIn(file, source)
    expect(found?.name).toBe(shownName)
    expect(found?.reported.test(reportedName)).toBe(true)
  })

  it('match no other test, neither a longer name nor a part of one', () => {
    const [found] = claim('CALC-01: a dot.')
    expect(
      ['CALC-01: a dot. Twice', 'xCALC-01: a dot.', 'CALC-01: a dot!'].map((name) =>
        found?.reported.test(name),
      ),
    ).toEqual([false, false, false])
  })
})

describe('faults in the sources', () => {
  it.each(['ops/backup/src/a.test.ts', 'services/auth/test/a.full.test.ts'])(
    'name a claim in %s, because npm test does not run it',
    (path) => {
      const claims = claimsIn(path, "it('CALC-01', f)")
      expect(faultsInSources(facts, ['D-01'], claims)).toEqual([
        `CALC-01 is claimed by "CALC-01" (${path}), which npm test does not run.`,
      ])
    },
  )

  it('are none when every id and every deviation is known', () => {
    expect(faultsInSources(facts, ['D-01'], claim('CALC-01 D-01'))).toEqual([])
  })

  it.each([
    [
      'an unknown id',
      facts,
      ['D-01'],
      'CALC-99 x',
      `CALC-99, in the name of "CALC-99 x" (${file}), is no fact and no deviation.`,
    ],
    [
      'an unknown deviation in a title',
      facts,
      ['D-01'],
      'D-02 x',
      `D-02, in the name of "D-02 x" (${file}), is no fact and no deviation.`,
    ],
    [
      'an id of one digit',
      facts,
      ['D-01'],
      'CALC-1 x',
      `CALC-1, in the name of "CALC-1 x" (${file}), is no fact and no deviation.`,
    ],
    ['a fact twice', [...facts, ...facts.slice(2)], ['D-01'], 'x', 'ERR-01 stands twice among the facts.'],
    ['a deviation twice', facts, ['D-01', 'D-01'], 'x', 'D-01 stands twice among the deviations.'],
    [
      'an unknown deviation',
      facts,
      ['D-02'],
      'x',
      'CALC-02 refers to D-01, which docs/deviations.md does not have.',
    ],
  ])('name %s', (_, someFacts, deviations, title, sentence) => {
    expect(faultsInSources(someFacts, deviations, claim(title))).toEqual([sentence])
  })
})

describe('faults in the runs', () => {
  const run = (name: string, status: Run['status'], where = file): Run => ({ file: where, name, status })
  const notRun = `CALC-01 is claimed by "CALC-01" (${file}), which was not run.`

  it.each<[string, Run[], string[]]>([
    ['passed', [run('pad CALC-01', 'passed')], []],
    [
      'passed in one project and skipped in another',
      [run('CALC-01', 'passed'), run('CALC-01', 'skipped')],
      [],
    ],
    ['was not run', [], [notRun]],
    ['passed under a longer name', [run('CALC-01 too', 'passed')], [notRun]],
    ['passed under the same name in another file', [run('CALC-01', 'passed', 'b.test.ts')], [notRun]],
    [
      'was skipped',
      [run('CALC-01', 'skipped')],
      [`CALC-01 is claimed by "CALC-01" (${file}), which was skipped.`],
    ],
    [
      'failed once and passed once',
      [run('CALC-01', 'passed'), run('CALC-01', 'failed')],
      [`CALC-01 is claimed by "CALC-01" (${file}), which failed.`],
    ],
  ])('for a test that %s', (_, runs, sentences) => {
    expect(
      faultsInRuns(claim('CALC-01'), runs).filter((sentence) => !sentence.startsWith('A report')),
    ).toEqual(sentences)
  })

  it('name an id that only the report has, once', () => {
    const runs = [run('CALC-01', 'passed'), run('ERR-01', 'passed'), run('ERR-01', 'passed')]
    expect(faultsInRuns(claim('CALC-01'), runs)).toEqual([
      `A report has ERR-01 in "ERR-01" (${file}), the source does not: write the id out in the test's title, or run the tests again if the report is old.`,
    ])
  })
})

describe('the table', () => {
  const table = renderTable(facts, claim('CALC-01: a | b'))

  it('shows the tests, the deviation or "open" beside each fact, in the first section that states it', () => {
    expect(table).toContain(`## §2 Screens

| Id | Fact | Shown by |
|---|---|---|
| CALC-01 | A digit \\| is a dot (also §9) | \`${file}\`: CALC-01: a \\| b |
| CALC-02 | The % key is dead | D-01 |
`)
    expect(table).toContain('| ERR-01 | Faults are logged | open |')
  })

  it('counts per section and in all', () => {
    expect(table).toContain('| §2 Screens | 2 | 1 | 0 | 1 | 0 |\n')
    expect(table).toContain('| §9 Constants and limits | 0 | 0 | 0 | 0 | 0 |\n')
    expect(table).toContain('| §8 Errors | 1 | 0 | 0 | 0 | 1 |\n')
    expect(table).toContain('| **All** | 3 | 1 | 0 | 1 | 1 |\n')
  })

  it('counts a fact that a test shows as shown, and prints its deviation too', () => {
    const both = renderTable(facts, claim('CALC-02'))
    expect(both).toContain(`\`${file}\`: CALC-02<br>D-01 |`)
    expect(both).toContain('| §2 Screens | 2 | 1 | 0 | 0 | 1 |\n')
  })

  it('counts a deviation that a test shows, and prints the test after it', () => {
    const built = renderTable(facts, claim('D-01: both calculate'))
    expect(built).toContain(`| CALC-02 | The % key is dead | D-01<br>\`${file}\`: D-01: both calculate |`)
    expect(built).toContain('| §2 Screens | 2 | 0 | 1 | 0 | 1 |\n')
  })

  it('does not depend on the order of the tests, and names equal tests once', () => {
    const [a, b] = [claim('CALC-01 a'), claim('CALC-01 b')]
    expect(renderTable(facts, [...b, ...a, ...a])).toBe(renderTable(facts, [...a, ...b]))
  })
})

describe('npm run coverage:write', () => {
  let root: string
  const page = 'docs/specification-coverage.md'
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const report = (status: string) => {
    const testResults = [
      { name: join(root, file), assertionResults: [{ ancestorTitles: [], title: 'CALC-01', status }] },
    ]
    write('artifacts/reports/unit.json', JSON.stringify({ testResults }))
  }
  const update = (...options: string[]) => {
    const script = join(import.meta.dirname, 'coverage-table.ts')
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--root', root, ...options])
    return { status, text: `${stdout.toString()}${stderr.toString()}` }
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'coverage-table-'))
    write('docs/specification-facts.tsv', tsv('CALC-01\t2\tA digit is a dot'))
    write('docs/deviations.md', '')
    write(file, "it('CALC-01', () => {})")
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('writes the page when the claimed tests passed, and then finds it up to date', () => {
    report('passed')
    expect(update()).toEqual({ status: 0, text: `${page}: 1 facts, 1 claimed by tests.\n` })
    expect(readFileSync(join(root, page), 'utf8')).toContain(`\`${file}\`: CALC-01 |`)
    expect(update('--check').status).toBe(0)
  })

  it('reports a claimed test that was skipped, and keeps the page', () => {
    report('pending')
    write(page, 'as it was')
    const { status, text } = update()
    expect(status).toBe(1)
    expect(text).toContain('which was skipped')
    expect(readFileSync(join(root, page), 'utf8')).toBe('as it was')
  })

  it('needs the reports of a test run, unless it reads the sources only', () => {
    const { status, text } = update()
    expect(status).toBe(1)
    expect(text).toContain('There is no report')
    expect(update('--from-sources').status).toBe(0)
  })

  it('reports a page that is missing or out of date when it only checks, and writes nothing', () => {
    const check = () => update('--check', '--from-sources')
    expect(check()).toMatchObject({
      status: 1,
      text: expect.stringContaining('npm run coverage:write') as string,
    })
    write(page, 'old')
    expect(check()).toMatchObject({
      status: 1,
      text: expect.stringContaining('npm run coverage:write') as string,
    })
    expect(readFileSync(join(root, page), 'utf8')).toBe('old')
  })
})
