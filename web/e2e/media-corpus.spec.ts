/// <reference lib="esnext.typedarrays" />
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type * as CorpusPage from './corpus-page.ts'
import type { Outcome } from './corpus-page.ts'
import {
  declaredType,
  expectedRows,
  filesOfCorpus,
  readCorpusFile,
  rowOf,
  writeArtefact,
} from './media-corpus.ts'
import type { Row } from './media-corpus.ts'
import { onPagesWith } from './picture-page.ts'

const pages = onPagesWith('e2e/corpus-page.ts')

const tryFile = (page: Page, name: string, type: string): Promise<Outcome> =>
  page.evaluate(
    async ({ path, text, name, type }) => {
      const { tryFile } = (await import(path)) as typeof CorpusPage
      return tryFile(Uint8Array.fromBase64(text), name, type)
    },
    {
      ...{ path: `/assets/${pages.built.entry}`, name, type },
      text: readCorpusFile(name).toString('base64'),
    },
  )

test('every file of the media corpus has a row that says what arrives', { tag: ['@full', '@phone'] }, () => {
  expect(expectedRows.map(({ file }) => file).toSorted()).toEqual(filesOfCorpus.toSorted())
})

test(
  'every file of the media corpus arrives, or is refused with its sentence, as its row says',
  { tag: ['@full', '@phone'] },
  async ({ page }) => {
    const rows: Row[] = []
    for (const row of expectedRows)
      rows.push(rowOf(row, await tryFile(page, row.file, declaredType(row.file))))
    writeArtefact(rows, 'media-corpus.md')
    expect(rows).toEqual(expectedRows)
  },
)
