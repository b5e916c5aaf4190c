import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { faultsOf } from './check-screen.ts'
import { openPair, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'
import { refusalsIn } from './policy.ts'
import { sendPlain } from './stored-media.ts'
import { activate } from './tab-to.ts'
import { pinchByTouch, strokeByTouch } from './touch.ts'

const openPhotos = (page: Page) => page.getByRole('button', { name: 'Open photo' })
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Photo', exact: true })
const picture = (page: Page) => viewer(page).getByRole('img')
const press = (page: Page, name: string) => viewer(page).getByRole('button', { name }).click()
const sizeOf = async (page: Page) => (await picture(page).boundingBox())?.width ?? 0
const natural = (page: Page) => picture(page).evaluate((img: HTMLImageElement) => img.naturalWidth)
/** The widths of the pictures tell them apart. */
const widths = [600, 640, 680]

/** Ben sends three pictures, which Ada sees in the chat. */
async function openPictures(
  browser: Browser,
  project: string,
): Promise<{ ada: Visitor; close: () => Promise<void> }> {
  const [ada, ben] = await openPair(browser, project, { isPremium: true })
  const conversationId = ada.page.url().split('/').at(-1) as string
  for (const width of widths) {
    const bytes = await draw(ada.page, { width, height: 400, type: 'image/png' })
    await sendPlain(ben, { conversationId, messageType: 'image' }, Buffer.from(bytes))
  }
  await expect(openPhotos(ada.page)).toHaveCount(3)
  for (const photo of await openPhotos(ada.page).all()) await expect(photo).toBeEnabled()
  const close = async () => {
    await Promise.all([ada.context.close(), ben.context.close()])
  }
  return { ada, close }
}

async function open(page: Page, index: number): Promise<void> {
  await openPhotos(page).nth(index).click()
  await expect(picture(page)).toBeVisible()
  expect(await natural(page)).toBe(widths[index])
}

const middle = { x: 195, y: 420 }
const isOpen = (page: Page) => expect(picture(page)).toBeVisible()
const hasLeft = async (page: Page) => {
  await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
  await expect(page).toHaveURL('/')
}

/** A stroke of 1.5 s moves nothing, not even under the finger. */
async function strokeSlowly(page: Page, byX: number): Promise<void> {
  const at = await picture(page).boundingBox()
  await strokeByTouch(page, {
    ...{ from: { x: byX < 0 ? 350 : 30, y: 420 }, byX, seconds: 1.5 },
    whileDown: async () => expect(await picture(page).boundingBox()).toEqual(at),
  })
  expect(await picture(page).boundingBox()).toEqual(at)
  expect(await natural(page)).toBe(widths[1])
}

async function strokeQuickly(page: Page, byX: number): Promise<void> {
  await strokeByTouch(page, { from: middle, byX })
  await hasLeft(page)
  await expect(page.getByRole('img')).toHaveCount(0)
}

test(
  'in the viewer a slow stroke sideways does nothing, and a quick one flees',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const { ada, close } = await openPictures(browser, project.name)
    await open(ada.page, 1)
    await strokeSlowly(ada.page, -250)
    await strokeQuickly(ada.page, 160)
    await close()
  },
)

test(
  'in the viewer strokes to both sides do the same, and fingers that zoom or move a picture never flee',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const { ada, close } = await openPictures(browser, project.name)
    const { page } = ada
    const refused = refusalsIn(page)
    await open(page, 1)
    const fitted = await sizeOf(page)
    for (const byX of [-250, 180]) await strokeSlowly(page, byX)

    await test.step('two fingers zoom in, and a quick stroke then moves the picture', async () => {
      await pinchByTouch(page, middle, 100)
      await expect.poll(() => sizeOf(page)).toBeGreaterThan(fitted * 1.5)
      const left = async () => (await picture(page).boundingBox())?.x ?? 0
      const before = await left()
      await strokeByTouch(page, { from: { x: 60, y: 420 }, byX: 200 })
      await expect.poll(left).toBeGreaterThan(before + 50)
      await isOpen(page)
      expect(await natural(page)).toBe(widths[1])
    })

    await test.step('two taps show the whole again, and two more zoom', async () => {
      for (const wanted of [fitted, fitted * 2]) {
        await expect(async () => {
          // Two taps that came too slowly do nothing.
          for (let time = 1; time <= 2; time += 1) await page.touchscreen.tap(middle.x, middle.y)
          await expect
            .poll(async () => Math.round(await sizeOf(page)), { timeout: 5000 })
            .toBe(Math.round(wanted))
        }).toPass()
      }
      await page.keyboard.press('-')
      await expect.poll(() => sizeOf(page)).toBeCloseTo(fitted, 0)
    })

    await test.step('a stroke downwards closes it', async () => {
      await strokeByTouch(page, { from: { x: 195, y: 300 }, byX: 0, byY: 300 })
      await expect(viewer(page)).toBeHidden()
      await expect(openPhotos(page).nth(1)).toBeFocused()
    })

    for (const byX of [160, -160])
      await test.step(`a quick stroke by ${byX} flees`, async () => {
        await open(page, 2)
        await strokeQuickly(page, byX)
        await unlockOnKeypad(ada)
        await page.getByRole('link', { name: /^ben/ }).click()
        await expect(openPhotos(page)).toHaveCount(3)
      })
    expect(refused).toEqual([])
    await close()
  },
)

test(
  'the viewer leads through the pictures by buttons and keys, opens one ahead, and saves after one notice',
  { tag: '@full' },
  async ({ browser }, { project }) => {
    const { ada, close } = await openPictures(browser, project.name)
    const { page } = ada
    const refused = refusalsIn(page)
    const fetched: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/objects/')) fetched.push(request.url())
    })

    await page.getByRole('button', { name: 'Conversation options' }).focus()
    await activate(page, openPhotos(page).first())
    await isOpen(page)
    await expect(viewer(page).getByRole('group', { name: 'Photo, zoom with plus and minus' })).toBeFocused()
    await expect(viewer(page).getByText(/^ben/)).toBeVisible()
    await expect(viewer(page).getByText(/\d\d:\d\d/)).toBeVisible()
    expect(await faultsOf(page)).toEqual([])

    await test.step('the next picture is there before it is asked for, and no other', async () => {
      await expect.poll(() => new Set(fetched).size).toBe(2)
      await page.context().setOffline(true)
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => natural(page)).toBe(widths[1])
      await page.context().setOffline(false)
    })

    await test.step('buttons and keys lead on and back, and stop at the ends', async () => {
      await press(page, 'Next photo')
      await expect.poll(() => natural(page)).toBe(widths[2])
      await expect(viewer(page).getByRole('button', { name: 'Next photo' })).toBeDisabled()
      await page.keyboard.press('ArrowRight')
      expect(await natural(page)).toBe(widths[2])
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => natural(page)).toBe(widths[1])
      await press(page, 'Previous photo')
      await expect.poll(() => natural(page)).toBe(widths[0])
    })

    await test.step('zoomed, the arrows move the picture', async () => {
      await page.keyboard.press('+')
      const before = await picture(page).boundingBox()
      await page.keyboard.press('ArrowRight')
      await expect.poll(async () => (await picture(page).boundingBox())?.x).not.toBe(before?.x)
      expect(await natural(page)).toBe(widths[0])
    })

    await test.step('saving says once that the copy is outside of the lock', async () => {
      await press(page, 'Save photo')
      const notice = page.getByRole('dialog', { name: 'Save this photo?' })
      await expect(notice).toContainText('outside of the lock')
      expect(await faultsOf(page)).toEqual([])
      for (const button of [
        notice.getByRole('button', { name: 'Save' }),
        viewer(page).getByRole('button', { name: 'Save photo' }),
      ]) {
        const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
        expect(download.suggestedFilename()).toBe('photo.png')
      }
      await expect(notice).toBeHidden()
    })

    await page.keyboard.press('Escape')
    await expect(viewer(page)).toBeHidden()
    await expect(openPhotos(page).first()).toBeFocused()
    expect(refused).toEqual([])
    await close()
  },
)
