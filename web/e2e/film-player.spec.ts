/// <reference lib="esnext.typedarrays" />
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import type * as FilmMaker from './film-maker.ts'
import type * as FilmPlayer from './film-player.ts'
import { readCorpusFile } from './media-corpus.ts'
import { onPagesWith } from './picture-page.ts'

const pages = onPagesWith('e2e/films.ts')
const mostMs = 30_000

const prepared = async (page: Page, film: Buffer): Promise<Buffer> =>
  Buffer.from(
    await page.evaluate(
      async ({ path, text }) => {
        const { prepareFilm } = (await import(path)) as typeof FilmMaker
        const { bytes } = await prepareFilm(Uint8Array.fromBase64(text), 'video/mp4')
        return bytes?.toBase64() ?? ''
      },
      { path: `/assets/${pages.built.entry}`, text: film.toString('base64') },
    ),
    'base64',
  )

/** Plays a film as it is stored. */
async function play(page: Page, film: Buffer) {
  await page.route('**/api/objects/film', (route) => {
    const [, first = 0, last = 0] = (/(\d+)-(\d+)/.exec(route.request().headers()['range'] ?? '') ?? []).map(
      Number,
    )
    const body = film.subarray(first, last + 1)
    const range = `bytes ${first}-${first + body.length - 1}/${film.length}`
    return route.fulfill({ status: 206, body, headers: { 'content-range': range } })
  })
  return page.evaluate(
    async ({ path, most }) => {
      const { playStored } = (await import(path)) as typeof FilmPlayer
      return playStored('/api/objects/film', most)
    },
    { path: `/assets/${pages.built.entry}`, most: mostMs },
  )
}

test.describe('playing films', { tag: ['@full', '@phone'] }, () => {
  test('a film begins behind what its owner has cut off, and plays to its end', async ({ page }) => {
    const film = await prepared(page, readCorpusFile('film-cut-without-coding.mp4'))
    const { firstS, endedAtS, said } = await play(page, film)
    expect(said).toBe('')
    // The 60 hidden pictures take two units of the film's clock each.
    expect(firstS).toBeGreaterThan(59 * (2 / 57_600))
    expect(endedAtS).toBeGreaterThan(7.9)
  })

  test('a cut of the stored file itself is followed, too', async ({ page }) => {
    const { endedAtS, said } = await play(page, readCorpusFile('film-middle-cut-out.mp4'))
    expect(said).toBe('')
    expect(Math.abs(endedAtS - 8)).toBeLessThan(0.2)
  })

  test('a player does not wait for sound that begins later', async ({ page }) => {
    const { endedAtS, said } = await play(page, readCorpusFile('film-late-sound.webm'))
    expect(said).toBe('')
    expect(endedAtS).toBeGreaterThan(3.8)
  })

  test('a picture that the browser cannot play is named as the cause', async ({ page }) => {
    const { said } = await play(page, readCorpusFile('film-hevc-place-in-packets.mp4'))
    expect(said).toBe('This browser cannot play the picture of this video')
  })

  test('where only the sound cannot be played, the picture plays', async ({ page }) => {
    const { isSilent, endedAtS, said } = await play(page, readCorpusFile('film-cinema-sound.mp4'))
    expect(said).toBe('')
    expect(isSilent).toBe(true)
    expect(endedAtS).toBeGreaterThan(1.8)
  })
})
