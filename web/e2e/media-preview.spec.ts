import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { FileChooser, Locator, Page, Route } from '@playwright/test'
import { check, faultsOf, looks } from './check-screen.ts'
import { chooseFiles, previewOf, sendFiles } from './choose-files.ts'
import { openPair, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'
import { refusalsIn } from './policy.ts'
import { storedIn } from './stored-media.ts'
import { waitUntilKept } from './stored-entries.ts'
import { activate, tabTo } from './tab-to.ts'
import { middleOf, strokeByTouch } from './touch.ts'

const bubbles = (page: Page) => page.getByRole('log').getByRole('article')
const photos = (page: Page) => page.getByRole('button', { name: /^Open photo/ })
const inPreview = (page: Page, name: string | RegExp) => previewOf(page).getByRole('button', { name })
const film = {
  ...{ name: 'film.mp4', mimeType: 'video/mp4' },
  buffer: readFileSync(join(import.meta.dirname, '../../testing/fixtures/media/film-plain.mp4')),
}

async function drawn(page: Page, name: string, width = 400) {
  const buffer = Buffer.from(await draw(page, { width, height: 300, type: 'image/jpeg' }))
  return { name, mimeType: 'image/jpeg', buffer }
}

async function tap(page: Page, element: Locator) {
  await expect(element).toBeEnabled()
  const { x, y } = await middleOf(element)
  await page.touchscreen.tap(x, y)
}

/** Answers the PUT of files until it is released. */
async function onPut({ context }: Visitor, answer: (route: Route) => Promise<void>) {
  const path = '**/api/objects/*'
  await context.route(path, (route) =>
    route.request().method() === 'PUT' ? answer(route) : route.fallback(),
  )
  return () => context.unroute(path)
}

/** Resolves to the number of frames, and the time in ms, from the next tap until an upload is shown. */
const bubbleAfterTap = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ frames: number; ms: number }>((resolve) => {
        const onClick = ({ timeStamp }: Event) => {
          let frames = 0
          const look = () => {
            frames += 1
            const isThere = document.querySelector('[role=log] [role=progressbar]') !== null
            if (isThere) resolve({ frames, ms: performance.now() - timeStamp })
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }
        window.addEventListener('click', onClick, { once: true, capture: true })
      }),
  )

for (const count of [1, 10])
  test(
    `two taps send ${count === 1 ? 'one file' : 'ten files'}, and the bubble stands in the frame after the tap`,
    { tag: ['@full', '@phone'] },
    async ({ browser }, { project }) => {
      const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
      const { page } = ada
      const refused = refusalsIn(page)
      const files = []
      for (let index = 0; index < count; index += 1)
        files.push(await drawn(page, `${index}.jpg`, 300 + index))
      await expect(page.getByRole('button', { name: 'Record a voice message' })).toBeVisible()
      let open: () => void = () => undefined
      const opened = new Promise<void>((resolve) => (open = resolve))
      const stop = await onPut(ada, async (route) => {
        await opened
        await route.fallback()
      })

      const choosing = page.waitForEvent('filechooser')
      await tap(page, page.getByRole('button', { name: 'Choose a photo or video' }))
      const chooser: FileChooser = await choosing
      expect(chooser.isMultiple()).toBe(true)
      await chooser.setFiles(files)
      await expect(inPreview(page, 'Send')).toBeEnabled()
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      const bubble = bubbleAfterTap(page)
      await tap(page, inPreview(page, 'Send'))
      const { frames, ms } = await bubble
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      console.log(
        `With a quarter of the processor, the bubble of ${count} files stood after ${Math.round(ms)} ms.`,
      )
      // The time depends on what else the machine does; no bubble waits for a file, a script or the network.
      expect(frames).toBe(1)
      await expect(previewOf(page)).toBeHidden()

      open()
      const id = page.url().split('/').at(-1) as string
      await expect.poll(async () => (await storedIn(ben, id)).length).toBe(count)
      await stop()
      expect(refused).toEqual([])
    },
  )

test(
  'the preview: order, captions, edit, remove, what cannot be sent, and axe in each state',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const refused = refusalsIn(page)
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    const text = { name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('Bread') }
    await chooseFiles(page, [film, await drawn(page, 'b.jpg'), text])
    await expect(previewOf(page).getByRole('img', { name: 'Video' })).toBeVisible()
    await previewOf(page).getByLabel('Caption').fill('the film')
    expect.soft(await faultsOf(page)).toEqual([])

    await tap(page, inPreview(page, 'File 3 of 3, cannot be sent'))
    await expect(previewOf(page).getByRole('alert')).toContainText(
      'This file is neither a picture nor a video',
    )
    await expect(previewOf(page).getByText('1 of 3 files cannot be sent.')).toBeVisible()
    expect.soft(await faultsOf(page)).toEqual([])
    await ada.picture('preview-refused')
    await tap(page, inPreview(page, 'Remove'))
    await expect(previewOf(page).getByRole('listitem')).toHaveCount(2)

    await tap(page, inPreview(page, 'File 2 of 2, photo'))
    await tap(page, inPreview(page, 'Move earlier'))
    await previewOf(page).getByLabel('Caption').fill('turned')
    await tap(page, inPreview(page, 'Edit'))
    await expect(page.locator('.cropper-crop-box')).toBeVisible()
    expect.soft(await faultsOf(page)).toEqual([])
    await ada.picture('preview-editor')
    await tap(page, inPreview(page, 'Rotate 90°'))
    await tap(page, inPreview(page, 'Save'))
    const shown = previewOf(page).getByRole('img', { name: 'Photo' })
    await expect
      .poll(() => shown.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]))
      .toEqual([300, 400])
    await ada.picture('preview')
    await tap(page, inPreview(page, 'Send'))

    await expect(bubbles(ben.page)).toHaveCount(2)
    await expect(bubbles(ben.page).first()).toContainText('turned')
    await expect(bubbles(ben.page).last()).toContainText('the film')
    await expect(photos(ben.page).getByRole('img')).toHaveAttribute('src', /^blob:/)
    expect(refused).toEqual([])
  },
)

test(
  'the picture and its cut stay inside the editor when the phone is turned',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [{ page }] = await openPair(browser, project.name)
    await chooseFiles(page, await drawn(page, 'a.jpg', 800))
    await tap(page, inPreview(page, 'Edit'))
    await expect(page.locator('.cropper-crop-box')).toBeVisible()
    await tap(page, inPreview(page, 'Rotate 90°'))
    for (const turned of [
      { width: 844, height: 390 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(turned)
      await expect.poll(() => insideEditor(page), `at ${turned.width} px`).toBe(true)
    }
  },
)

/** Returns whether the editor shows the whole picture in the middle, with the cut inside of it. */
const insideEditor = (page: Page) =>
  page.evaluate(() => {
    const box = (name: string) =>
      (document.querySelector(`.cropper-${name}`) as Element).getBoundingClientRect()
    const isInside = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1
    const [container, canvas, cut] = [box('container'), box('canvas'), box('crop-box')]
    const middle = ({ left, right }: DOMRect) => (left + right) / 2
    const isCentred = Math.abs(middle(canvas) - middle(container)) <= 1
    return isCentred && isInside(canvas, container) && isInside(cut, canvas)
  })

test(
  'the preview is used with the keyboard alone, and shown in five sizes and themes',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const { keyboard } = page
    const files = [await drawn(page, 'a.jpg', 900), await drawn(page, 'b.jpg', 200)]
    await page.getByRole('button', { name: 'Record a voice message' }).waitFor()
    const choosing = page.waitForEvent('filechooser')
    await activate(page, page.getByRole('button', { name: 'Choose a photo or video' }), 'Shift+Tab')
    await (await choosing).setFiles([...files, film])
    await expect(previewOf(page).getByLabel('Caption')).toBeFocused()
    await keyboard.type('first')
    await activate(page, inPreview(page, /^File 2/), 'Shift+Tab')
    await activate(page, inPreview(page, 'Move later'))
    await tabTo(page, previewOf(page).getByLabel('Caption'))
    await keyboard.type('last')
    await activate(page, inPreview(page, 'Edit'), 'Shift+Tab')
    await activate(page, inPreview(page, 'Rotate 90°'))
    await keyboard.press('Escape')
    await expect(previewOf(page).getByLabel('Caption')).toHaveValue('last')
    await check(page, '87-preview', looks)
    await tabTo(page, previewOf(page).getByLabel('Caption'))
    await keyboard.press('Enter')
    await expect(previewOf(page)).toBeHidden()
    await expect(photos(page)).toHaveCount(2)
    await expect(bubbles(page).first()).toContainText('first')
    await expect(bubbles(page).last()).toContainText('last')

    await chooseFiles(page, files)
    await keyboard.press('Escape')
    await expect(previewOf(page)).toBeHidden()
    await expect(photos(page)).toHaveCount(2)
  },
)

test(
  'an upload waits for a lost network and says so; own pictures come from memory',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page, context } = ada
    const fetched: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/api/objects/')) fetched.push(request.url())
    })
    await chooseFiles(page, await drawn(page, 'a.jpg'))
    await expect(previewOf(page).getByRole('img', { name: 'Photo' })).toBeVisible()
    await expect(inPreview(page, 'Edit')).toBeEnabled()
    await context.setOffline(true)
    await tap(page, inPreview(page, 'Send'))
    await expect(page.getByText('No connection. It goes on when you are back.')).toBeVisible()
    expect.soft(await faultsOf(page)).toEqual([])
    await ada.picture('upload-waits')
    await context.setOffline(false)
    await expect(photos(page)).toHaveCount(1)
    await photos(page).click()
    await expect(page.getByRole('dialog', { name: 'Photo' }).getByRole('img')).toBeVisible()
    expect(fetched).toEqual([])
  },
)

test(
  'a file that was not sent before a flight or a reload is named after the unlock, and chosen again',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const file = await drawn(page, 'a.jpg')
    const openChat = () => page.getByRole('link', { name: new RegExp(ben.username) }).click()
    const lost = page.getByRole('status').filter({ hasText: 'Not sent.' })
    const stop = await onPut(ada, () => new Promise(() => undefined))
    await chooseFiles(page, file)
    await previewOf(page).getByLabel('Caption').fill('At the sea')
    await tap(page, inPreview(page, 'Send'))
    await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
    await expect(lost).toHaveCount(0)
    await waitUntilKept(page)

    await strokeByTouch(page, { from: { x: 120, y: 400 }, byX: 160 })
    await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
    await unlockOnKeypad(ada)
    await openChat()
    await expect(lost).toBeVisible()
    await expect(bubbles(page).filter({ hasText: 'At the sea' })).toHaveCount(1)
    expect.soft(await faultsOf(page)).toEqual([])
    await ada.picture('upload-lost')
    await page.reload()
    await expect(lost).toBeVisible()

    await stop()
    const choosing = page.waitForEvent('filechooser')
    await tap(page, page.getByRole('button', { name: 'Choose the file again' }))
    await (await choosing).setFiles(file)
    await expect(previewOf(page).getByLabel('Caption')).toHaveValue('At the sea')
    await tap(page, inPreview(page, 'Send'))
    await expect(photos(page)).toHaveCount(1)
    await expect(lost).toHaveCount(0)
    await page.reload()
    await expect(photos(page)).toHaveCount(1)
    await expect(lost).toHaveCount(0)

    await test.step('a discarded one does not come back', async () => {
      const stopAgain = await onPut(ada, () => new Promise(() => undefined))
      await sendFiles(page, file)
      await waitUntilKept(page)
      await page.reload()
      await page.getByRole('button', { name: 'Discard' }).click()
      await stopAgain()
      await waitUntilKept(page)
      await page.reload()
      await expect(photos(page)).toHaveCount(1)
      await expect(lost).toHaveCount(0)
    })
  },
)
