/// <reference lib="esnext.typedarrays" />
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { buildPreparation } from '../build-preparation.ts'
import type { BuiltPreparation } from '../build-preparation.ts'
import type * as CorpusPage from '../corpus-page.ts'
import type { Outcome } from '../corpus-page.ts'
import { declaredType, expectedRows, readCorpusFile, rowOf, writeArtefact } from '../media-corpus.ts'
import type { Row } from '../media-corpus.ts'
import { openCalculator, openFirefox } from './firefox.ts'

const folder = mkdtempSync(join(tmpdir(), 'prepared-'))
let built: BuiltPreparation
beforeAll(async () => {
  built = await buildPreparation(folder, 'e2e/corpus-page.ts')
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** Adds the files of the module to what the gateway serves. */
async function serve(page: Page): Promise<void> {
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const name = basename(new URL(request.url()).pathname)
    const answer = built.scripts.includes(name)
      ? request.respond({ body: built.read(`assets/${name}`), contentType: 'text/javascript' })
      : request.continue()
    void answer
  })
}

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

/** What becomes of each file of the corpus in a Firefox with these settings. */
async function tryCorpus(settings: Parameters<typeof openFirefox>[0], artefact: string): Promise<Row[]> {
  const browser: Browser = await openFirefox(settings)
  try {
    const page = await openCalculator(browser)
    await serve(page)
    const rows: Row[] = []
    for (const row of expectedRows) rows.push(rowOf(row, await tryFile(page, row.file)))
    writeArtefact(rows, artefact)
    return rows
  } finally {
    await browser.close()
  }
}

it('every file of the corpus arrives in Firefox as it does in Chromium, or is refused with a sentence', async () => {
  const rows = await tryCorpus({}, 'media-corpus-firefox.md')
  expect(rows.filter(({ arrives, said }) => !arrives && !said)).toEqual([])
  expect(rows.filter(({ marks }) => /[1-9]$/.test(marks))).toEqual([])
}, 600_000)

it('a Firefox that resists fingerprinting sends no picture that it has drawn, and says why', async () => {
  const rows = await tryCorpus({ resistsFingerprinting: true }, 'media-corpus-resisting-firefox.md')
  expect(rows.filter(({ arrives }) => arrives.startsWith('image/'))).toEqual([])
}, 600_000)
