/// <reference lib="esnext.typedarrays" />
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { readPreparation } from '../build-preparation.ts'
import type { BuiltPreparation } from '../build-preparation.ts'
import type * as CorpusPage from '../corpus-page.ts'
import type { Outcome } from '../corpus-page.ts'
import {
  declaredType,
  expectedRows,
  readCorpusFile,
  rowOf,
  rowsInFirefox,
  writeArtefact,
} from '../media-corpus.ts'
import type { Row } from '../media-corpus.ts'
import { noPreviewSentence } from '../../src/features/media/prepare/ask-sender.ts'
import { MediaRefusedError } from '../../src/features/media/prepare/media-refused-error.ts'
import { startCorpusServer } from './corpus-server.ts'
import { openCalculator, openFirefox } from './firefox.ts'

const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
let built: BuiltPreparation
let server: Awaited<ReturnType<typeof startCorpusServer>>
beforeAll(async () => {
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync(process.execPath, [join(import.meta.dirname, 'build-corpus-page.ts'), folder], { env })
  built = readPreparation(folder)
  server = await startCorpusServer(built)
}, 120_000)
afterAll(() => {
  server?.close()
  rmSync(folder, { recursive: true })
})

const tryFile = (page: Page, name: string): Promise<Outcome> =>
  page.evaluate(
    async ({ path, text, name, type }) => {
      const { tryFile } = (await import(path)) as typeof CorpusPage
      return tryFile(Uint8Array.fromBase64(text), name, type)
    },
    {
      ...{ path: `/assets/${built.entry}`, name, type: declaredType(name) },
      text: readCorpusFile(name).toString('base64'),
    },
  )

/** Prepares each file of the corpus in a Firefox with these settings. */
async function tryCorpus(settings: Parameters<typeof openFirefox>[0], artefact: string): Promise<Row[]> {
  const browser: Browser = await openFirefox(settings)
  try {
    const page = await openCalculator(browser, server.url)
    const rows: Row[] = []
    for (const row of expectedRows) rows.push(rowOf(row, await tryFile(page, row.file)))
    writeArtefact(rows, artefact)
    return rows
  } finally {
    await browser.close()
  }
}

it('every file of the corpus arrives in Firefox, or is refused with its sentence, as its row says', async () => {
  expect(await tryCorpus({}, 'media-corpus-firefox.md')).toEqual(rowsInFirefox)
}, 600_000)

const canvasSentence = new MediaRefusedError('canvas_lies').message

/** The expected result of a file if Firefox must not read back its drawings. */
function resisting(row: Row): Row {
  if (row.arrives.startsWith('image/')) return { ...row, arrives: '', marks: '', said: canvasSentence }
  if (!row.arrives.startsWith('video/')) return row
  const said = `${row.said} ${noPreviewSentence}`.trim()
  return { ...row, arrives: row.arrives.replace(/; still .*/, '; no still'), said }
}

it('a Firefox that resists fingerprinting sends no picture that it has drawn, and says why', async () => {
  const rows = await tryCorpus({ resistsFingerprinting: true }, 'media-corpus-resisting-firefox.md')
  expect(rows).toEqual(rowsInFirefox.map(resisting))
}, 600_000)
