/// <reference lib="esnext.typedarrays" />
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import type * as FilmMaker from './film-maker.ts'
import type { FilmOptions } from './film-maker.ts'
import { buildPreparation } from './build-preparation.ts'
import type { BuiltPreparation } from './build-preparation.ts'
import { serveIn } from './picture-page.ts'

export const filmMaker = 'e2e/film-maker.ts'

/** Makes a film in the browser of the page. */
export async function makeFilm(
  page: Page,
  { entry }: BuiltPreparation,
  options: FilmOptions,
): Promise<Buffer> {
  const text = await page.evaluate(
    async ({ path, given }) => {
      const { makeFilm } = (await import(path)) as typeof FilmMaker
      return (await makeFilm(given)).toBase64()
    },
    { path: `/assets/${entry}`, given: options },
  )
  return Buffer.from(text, 'base64')
}

/** Makes films, each in a file of its own, until it is closed. */
export async function openStudio(browser: Browser) {
  const folder = mkdtempSync(join(tmpdir(), 'films-'))
  const built = await buildPreparation(join(folder, 'built'), filmMaker)
  // The test cannot answer requests that pass through a service worker.
  const page = await browser.newPage({ serviceWorkers: 'block' })
  await serveIn(page, built)
  await page.goto('/')
  return {
    async film(options: FilmOptions): Promise<{ path: string; bytes: Buffer }> {
      const bytes = await makeFilm(page, built, options)
      const path = join(folder, `holiday.${options.container}`)
      writeFileSync(path, bytes)
      return { path, bytes }
    },
    async close(): Promise<void> {
      await page.close()
      rmSync(folder, { recursive: true })
    },
  }
}
export type Studio = Awaited<ReturnType<typeof openStudio>>

/** Prepares a chosen file as the product does before sealing. */
export async function prepareFilm(page: Page, { entry }: BuiltPreparation, film: Buffer, type = 'video/mp4') {
  const { bytes, ...facts } = await page.evaluate(
    async ({ path, text, type }) => {
      const { prepareFilm } = (await import(path)) as typeof FilmMaker
      const { bytes, ...facts } = await prepareFilm(Uint8Array.fromBase64(text), type)
      return { ...facts, bytes: bytes?.toBase64() ?? '' }
    },
    { path: `/assets/${entry}`, text: film.toString('base64'), type },
  )
  return { ...facts, bytes: Buffer.from(bytes, 'base64') }
}

export const greysOfStills = (page: Page, { entry }: BuiltPreparation, film: Buffer, count: number) =>
  page.evaluate(
    async ({ path, text, count }) => {
      const { greysOfStills } = (await import(path)) as typeof FilmMaker
      return greysOfStills(Uint8Array.fromBase64(text), 'video/mp4', count)
    },
    { path: `/assets/${entry}`, text: film.toString('base64'), count },
  )
