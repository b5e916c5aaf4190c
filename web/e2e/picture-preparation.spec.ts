import { basename } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as fixtures from '../test/picture-fixtures.ts'
import { colors, draw, onPagesWith, prepare } from './picture-page.ts'

const pages = onPagesWith()

type Prepared = Exclude<Awaited<ReturnType<typeof prepare>>, { refusal: string; text?: undefined }>
const prepared = async (page: Page, file: Uint8Array) => {
  const picture = await prepare(page, pages.built, file)
  expect(picture.refusal).toBe('')
  return picture as Prepared
}

const marks = ['MARK-maker', 'MARK-52.5200N', 'MARK-xmp', 'MARK-comment', 'MARK-after'] as const
const [maker, place, xmp, comment, after] = marks
const marksIn = (text: string) => [...marks, 'Exif', 'xap', 'XMP'].filter((mark) => text.includes(mark))

const markedJpeg = async (page: Page, width: number, height: number) =>
  fixtures.withSegments(
    await draw(page, { width, height, type: 'image/jpeg' }),
    [
      fixtures.exifSegment(6, maker, place),
      fixtures.jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${xmp}</x:xmpmeta>`),
      fixtures.jpegSegment(0xfe, comment),
    ],
    after,
  )

/** Firefox's `privacy.resistFingerprinting` does the same to every canvas. */
const stripes = `const given = OffscreenCanvasRenderingContext2D.prototype.getImageData
OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...args) {
  const pixels = given.apply(this, args)
  pixels.data.forEach((_value, at) => (pixels.data[at] = at * 97))
  return pixels
}
`

test.describe('the preparation of pictures', { tag: '@desktop' }, () => {
  test('the worker of picture preparation has a neutral name, and the calculator does not cache it', () => {
    expect(pages.built.worker).toMatch(/^d-/)
    expect(pages.built.assets.filter((name) => !/^[a-d]-[\w-]+\.js(?:\.br|\.gz)?$/.test(name))).toEqual([])
    expect(pages.built.read('sw.js')).toContain(pages.built.entry)
    expect(pages.built.read('sw.js')).not.toContain(pages.built.worker)
  })

  test('a turned photo with a place, a maker and a comment comes out upright and without them', async ({
    page,
  }) => {
    const workers: string[] = []
    page.on('worker', (started) => workers.push(basename(started.url())))
    const file = await markedJpeg(page, 600, 300)
    expect(marksIn(Buffer.from(file).toString('latin1'))).toEqual(expect.arrayContaining([...marks]))

    const picture = await prepared(page, file)
    expect(picture).toMatchObject({ mime: 'image/jpeg', type: 'image/jpeg', width: 300, height: 600 })
    expect(picture.isAnimated).toBe(false)
    expect(colors(picture.corners)).toEqual(['white', 'red', 'green', 'blue'])
    expect(colors(picture.thumb.corners)).toEqual(['white', 'red', 'green', 'blue'])
    expect(marksIn(picture.text)).toEqual([])
    expect(marksIn(picture.thumb.text)).toEqual([])
    expect(picture.thumb).toMatchObject({ longerSide: 320, type: 'image/jpeg' })
    expect(picture.thumb.size).toBeLessThanOrEqual(64 * 1024)
    expect(picture.hashBytes).toBeGreaterThan(4)
    expect(picture.hashBytes).toBeLessThanOrEqual(32)
    expect(workers).toEqual([pages.built.worker])
  })

  test('a large photo comes out with 16 megapixels', async ({ page }) => {
    const picture = await prepared(page, await markedJpeg(page, 6000, 4000))
    expect(picture).toMatchObject({ width: 3344, height: 5016 })
    expect(marksIn(picture.text)).toEqual([])
  })

  test('a picture with clear parts keeps them, and one without becomes a JPEG', async ({ page }) => {
    const size = { width: 400, height: 300, type: 'image/png' }
    const clear = await prepared(page, await draw(page, { ...size, isClear: true }))
    expect(clear).toMatchObject({ mime: 'image/webp', type: 'image/webp' })
    expect(colors(clear.corners)).toEqual(['red', 'green', 'blue', 'clear'])
    expect(colors(clear.thumb.corners)).toEqual(['red', 'green', 'blue', 'clear'])
    const opaque = await prepared(page, await draw(page, size))
    expect(opaque).toMatchObject({ mime: 'image/jpeg', type: 'image/jpeg' })
  })

  test('the preview of noise becomes smaller until it takes at most 64 kB', async ({ page }) => {
    const { thumb } = await prepared(page, fixtures.noise(400))
    expect(thumb.longerSide).toBeLessThan(320)
    expect(thumb.size).toBeLessThanOrEqual(64 * 1024)
  })

  const animations = {
    'image/gif': fixtures.gif,
    'image/png': fixtures.apng,
    'image/webp': fixtures.animatedWebp,
  }
  for (const [mime, animation] of Object.entries(animations))
    test(`an animation of the type ${mime} keeps its ten frames and loses everything else`, async ({
      page,
    }) => {
      const file = animation(10, comment)
      expect(marksIn(Buffer.from(file).toString('latin1'))).toContain(comment)
      const picture = await prepared(page, file)
      expect(picture).toMatchObject({ mime, type: mime, isAnimated: true, frames: 10 })
      expect(marksIn(picture.text)).toEqual([])
      expect(marksIn(picture.thumb.text)).toEqual([])
    })

  test('a picture that the canvas would give back as stripes is refused, and the person is told what to do', async ({
    page,
  }) => {
    await page.route(`**/assets/${pages.built.worker}`, async (route) => {
      const headers = { 'content-type': 'text/javascript' }
      await route.fulfill({ body: stripes + pages.built.read(`assets/${pages.built.worker}`), headers })
    })
    const file = await draw(page, { width: 60, height: 40, type: 'image/png' })
    expect((await prepare(page, pages.built, file)).refusal).toContain('Allow this page to use canvas data')
  })

  const refusals: [name: string, file: Uint8Array, sentence: string][] = [
    [
      'a small PNG that claims 30000 by 30000 pixels',
      fixtures.png(30_000, 30_000),
      'This picture is too large: 200 megapixels at most. Choose a smaller one.',
    ],
    [
      'an animation of too many frames',
      fixtures.gif(501),
      'This animation is too large: 500 frames and 300 megapixels in all at most. Save it as a video and choose that file.',
    ],
    [
      'a PNG without pixels',
      fixtures.png(5, 5),
      'This picture is damaged or cannot be read. Choose another one.',
    ],
  ]
  for (const [name, file, sentence] of refusals)
    test(`${name} is refused with a sentence that says what to do`, async ({ page }) => {
      expect((await prepare(page, pages.built, file)).refusal).toBe(`MediaRefusedError: ${sentence}`)
    })
})
