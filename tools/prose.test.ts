import { commentsIn } from './prose/comments.ts'
import { markersIn } from './prose/markers.ts'

describe('the comments of a source', () => {
  const texts = (source: string, file = 'a.ts') => commentsIn(source, file).map(({ text }) => text)

  it('are read with their line and length, and `//` lines that follow each other are one', () => {
    const source = 'const a = 1 // One.\n\n// Two\n// lines.\n/**\n * Three\n * more.\n */\nconst b = 2\n'
    expect(commentsIn(source, 'a.ts')).toEqual([
      { line: 1, lines: 1, text: 'One.' },
      { line: 3, lines: 2, text: 'Two lines.' },
      { line: 5, lines: 4, text: 'Three more.' },
    ])
  })

  it('leave out instructions to tools, strings and the text of JSX', () => {
    expect(texts('// guard: a\n// eslint-disable-next-line x\nconst a = "// no"')).toEqual([])
    expect(texts('const p = <p>/* no */ // no</p>', 'a.tsx')).toEqual([])
  })
})

describe('the markers of a comment', () => {
  it.each([
    ['What passes at once.', 'free clause'],
    ['Sends it. Who may read it.', 'free clause'],
    ['Of the only process that sweeps.', 'dangling preposition'],
    ['The cache knows the session.', 'program that knows'],
    ['The lock of a session, or that of its account.', 'that of'],
    ['A file is stored meanwhile.', 'meanwhile, beside'],
    ['For so long, a slot is kept.', 'so many'],
  ])('%s has a %s', (text, marker) => expect(markersIn(text)).toEqual([marker]))

  it.each([
    'Only the process that holds the lease sweeps.',
    'After a pause, one request tries Redis again.',
    'Without an answer the progress is unknown.',
    'The owner knows the number.',
    'Returns `what` for "how".',
    'It lasts so long that a person notices.',
  ])('%s has none', (text) => expect(markersIn(text)).toEqual([]))
})
