import { copied, filmOf } from '../../../../test/film-fixtures.ts'
import { planCopy } from '../prepare/copy-plan.ts'
import { openFileTracks } from '../prepare/film-tracks.ts'
import type { Tracks } from '../prepare/film-tracks.ts'
import { endOfRun, firstShown } from './first-shown.ts'

const firstOf = async (film: Uint8Array<ArrayBuffer>) => {
  const tracks = (await openFileTracks(new Blob([film]))) as Tracks
  return firstShown(tracks, await planCopy(tracks))
}

it('a film begins behind the pictures that a cut hides, in its file and in its copy', async () => {
  const film = filmOf('film-cut-without-coding.mp4')
  const { bytes } = await copied(film)
  // The 60 hidden pictures take two units of the clock each.
  const shownAtS = 60 * (2 / 57_600)
  for (const each of [film, bytes]) {
    const first = await firstOf(each)
    expect(first).toBeGreaterThan(shownAtS)
    expect(first).toBeLessThan(shownAtS + 0.002)
  }
})

it('a film without such pictures begins at its beginning', async () => {
  expect(await firstOf(filmOf('film-plain.mp4'))).toBe(0)
})

it('pictures that take no time at the beginning of a film are recognized by their times', () => {
  const step = 2 / 57_600
  expect(endOfRun([0, 0.04, 0.08])).toBe(0)
  expect(endOfRun([0, 2 * step, step, 3 * step, 3 * step + 0.04])).toBeCloseTo(3 * step + 0.001, 6)
  expect(endOfRun([])).toBe(0)
})
