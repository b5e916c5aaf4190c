import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Outcome } from './corpus-page.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'testing/fixtures/media')
const tableName = 'README.md'

/** A row of the table: a file and its expected result. */
export interface Row {
  file: string
  /** Describes the file for people. */
  what: string
  arrives: string
  marks: string
  said: string
}

const [page = '', pageOfFirefox = ''] = readFileSync(join(folder, tableName), 'utf8').split('## In Firefox')
const isRow = (line: string) => /^\| (?!File \||-)/.test(line)

const cellsIn = (text: string): string[][] =>
  text
    .split('\n')
    .filter(isRow)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

export const expectedRows: Row[] = cellsIn(page).map(
  ([file = '', what = '', arrives = '', marks = '', said = '']) => ({ file, what, arrives, marks, said }),
)

/** The files whose result differs in Firefox. */
const differing = cellsIn(pageOfFirefox).map(([file = '', arrives = '', marks = '', said = '']) => ({
  file,
  ...{ arrives, marks, said },
}))

export const rowsInFirefox: Row[] = expectedRows.map((row) => ({
  ...row,
  ...differing.find(({ file }) => file === row.file),
}))

export const filesOfCorpus: string[] = readdirSync(folder).filter((name) => name !== tableName)

export const readCorpusFile = (name: string): Buffer => readFileSync(join(folder, name))

/** Returns the type that a browser declares for a file with this name. */
export const declaredType = (name: string): string => types[extname(name).toLowerCase()] ?? ''

const types: Record<string, string> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.gif': 'image/gif',
  '.heic': 'image/heic',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.m4a': 'audio/mp4',
  '.mkv': 'video/x-matroska',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
}

/** Returns the row for the actual result of a file. */
export function rowOf({ file, what }: Row, { arrives, marks, said }: Outcome): Row {
  const before = readCorpusFile(file).toString('latin1').split('MARK').length - 1
  return {
    file,
    what,
    arrives,
    marks: before > 0 && arrives ? `${before} → ${marks}` : String(marks || ''),
    said,
  }
}

/** Writes the page of the corpus with the actual results instead of the expected ones. */
export function writeArtefact(rows: Row[], name: string): void {
  const lines = rows.map(({ file, what, arrives, marks, said }) =>
    ['', file, what, arrives, marks, said, '']
      .map((cell) => (cell ? ` ${cell} ` : ' '))
      .join('|')
      .trim(),
  )
  const artifacts = join(root, 'artifacts')
  mkdirSync(artifacts, { recursive: true })
  const head = page.split('\n').filter((line) => !isRow(line))
  writeFileSync(join(artifacts, name), `${head.join('\n').trimEnd()}\n${lines.join('\n')}\n`)
}
