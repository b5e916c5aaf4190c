import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { filmMaker, greysOfStills, makeFilm, prepareFilm } from './film-page.ts'
import type { FilmOptions } from './film-maker.ts'
import { onPagesWith } from './picture-page.ts'

const pages = onPagesWith(filmMaker)

const film = (page: Page, options: FilmOptions) => makeFilm(page, pages.built, options)

test.describe('the preparation of videos', { tag: '@desktop' }, () => {
  for (const container of ['mp4', 'mov', 'webm'] as const)
    test(`nothing that tells of place and time is left of a ${container} file, and it is as long and as large as before`, async ({
      page,
    }) => {
      const source = await film(page, { container, mark: 'MARK', rotation: 90 })
      // The date is in the seconds of QuickTime or in a text.
      expect(source.includes('MARK place')).toBe(true)
      const { bytes, info, thumbSize, refusal, asked } = await prepareFilm(page, pages.built, source)
      expect(refusal).toBe('')
      expect(asked).toEqual([])
      for (const text of ['MARK', 'xyz', 'LOCATION', '2001', '52.52'])
        expect(bytes.includes(text)).toBe(false)
      // Rotated films stay rotated.
      expect(info).toMatchObject(container === 'webm' ? { w: 64, h: 48 } : { w: 48, h: 64 })
      expect(Math.abs((info?.ms ?? 0) - 2000)).toBeLessThan(60)
      expect(thumbSize).toBeGreaterThan(0)
      expect(info?.hash).toMatch(/^[\w-]{20,43}$/)
      const isWebm = bytes.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))
      expect(isWebm).toBe(container === 'webm')
      // A fragmented MP4 has these parts.
      if (!isWebm) expect(bytes.includes('moof')).toBe(true)
    })

  test('each still of a film shows what comes after its first picture', async ({ page }) => {
    const source = await film(page, { container: 'mp4', width: 640, height: 360, seconds: 1 })
    const greys = await greysOfStills(page, pages.built, source, 100)
    expect(greys).toHaveLength(100)
    // The film begins with grey 60 and grows lighter by six with each picture.
    expect(greys.filter((grey) => grey < 66)).toEqual([])
  })

  test('there is a still where the browser never says that it shows a picture', async ({ page }) => {
    const source = await film(page, { container: 'mp4' })
    await page.evaluate(() => {
      HTMLVideoElement.prototype.requestVideoFrameCallback = () => 0
    })
    const isThere = async () => {
      const [grey = -1] = await greysOfStills(page, pages.built, source, 1)
      return grey >= 60
    }
    expect(await isThere()).toBe(true)
    await page.evaluate(() => Reflect.deleteProperty(HTMLVideoElement.prototype, 'requestVideoFrameCallback'))
    expect(await page.evaluate(() => 'requestVideoFrameCallback' in document.createElement('video'))).toBe(
      false,
    )
    expect(await isThere()).toBe(true)
  })

  test('what is no video is refused with a sentence, by its bytes', async ({ page }) => {
    const whole = await film(page, { container: 'mp4' })
    const notAVideo = 'This file is not a video that can be sent. Choose an MP4, MOV or WebM file.'
    const refusalOf = async (bytes: Buffer) => (await prepareFilm(page, pages.built, bytes)).refusal
    expect(await refusalOf(Buffer.from('<html><script>alert(1)</script></html>'))).toBe(notAVideo)
    expect(await refusalOf(Buffer.alloc(0))).toBe('This file is empty. Choose another one.')
    // The index at its end is missing.
    expect(await refusalOf(whole.subarray(0, whole.length / 2))).toBe(
      'The end of this video is missing, so it cannot be read. Copy it again and choose that file.',
    )
    const large = await film(page, { container: 'mp4', width: 4098, height: 16, seconds: 1 })
    expect(await refusalOf(large)).toBe(
      'This video is too large: 4096 pixels a side at most. Choose a smaller one.',
    )
  })
})
