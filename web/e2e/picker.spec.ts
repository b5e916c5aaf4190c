import { expect, test } from '@playwright/test'
import type { Browser, Page, Route } from '@playwright/test'
import { faultsOf } from './check-screen.ts'
import { chooseInWidget, openWidget } from './choose-files.ts'
import { openPair } from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'

declare global {
  interface Window {
    violations: string[]
  }
}

const photos = (page: Page) => page.getByRole('button', { name: 'Open photo' })
const widget = (page: Page) => page.getByRole('region', { name: 'Add media' })
const button = (page: Page, name: string) => widget(page).getByRole('button', { name, exact: true }).first()
/** The widget renders its notices twice. */
const notice = (page: Page, text: string) => page.locator('.uppy-Informer').getByText(text).first()
const sizeOfLast = async (page: Page) => {
  const picture = photos(page).last().getByRole('img')
  await expect(picture).toHaveAttribute('src', /^blob:/)
  return picture.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])
}

/** Answers the PUT of files until it is released. */
async function onPut({ context }: Visitor, answer: (route: Route) => Promise<void>) {
  const path = '**/api/objects/*'
  await context.route(path, (route) =>
    route.request().method() === 'PUT' ? answer(route) : route.fallback(),
  )
  return () => context.unroute(path)
}

async function choose({ page }: Visitor, name = 'holiday.png') {
  const buffer = Buffer.from(await draw(page, { width: 800, height: 400, type: 'image/png' }))
  await chooseInWidget(page, { name, mimeType: 'image/png', buffer })
}

/** Ada, whose messages premium covers, has the widget open and sees Ben's chat; Ben sees it, too. */
async function openWidgetOf(browser: Browser, project: string): Promise<[Visitor, Visitor]> {
  const [ada, ben] = await openPair(browser, project, { isPremium: true })
  const { page } = ada
  await page.evaluate(() => {
    window.violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      window.violations.push(`${violatedDirective} ${blockedURI}`),
    )
  })
  await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
  await openWidget(page)
  return [ada, ben]
}

test(
  'a picture is chosen in the upload widget, turned, uploaded, and becomes a message',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openWidgetOf(browser, project.name)
    const { page } = ada
    await test.step('UP-01 UP-02 UP-07: the widget opens in the page, with a drop area and a way to browse', async () => {
      await expect(page.getByText('Drop a file here or browse')).toBeVisible()
      await expect(button(page, 'browse')).toBeFocused()
    })

    await test.step('UP-03 LIM-07: a chosen file is listed, with a preview 200 px wide', async () => {
      await choose(ada)
      await expect(widget(page).getByText('holiday.png')).toBeVisible()
      const preview = widget(page).getByRole('img', { name: 'holiday.png' })
      await expect(preview).toHaveAttribute('src', /^blob:/)
      expect(
        await preview.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]),
      ).toEqual([200, 100])
    })

    await test.step('UP-05: the picture is turned and saved', async () => {
      await button(page, 'Edit file holiday.png').click()
      await button(page, 'Edit image').click()
      await expect(page.locator('.cropper-crop-box')).toBeVisible()
      // Escape leaves only the editor.
      await page.keyboard.press('Escape')
      await expect(page.locator('.cropper-crop-box')).toBeHidden()
      await button(page, 'Edit image').click()
      await button(page, 'Rotate 90°').click()
      await button(page, 'Save').click()
      await button(page, 'Save changes').click()
      const preview = widget(page).getByRole('img', { name: 'holiday.png' }).first()
      await expect
        .poll(() => preview.evaluate((img: HTMLImageElement) => img.naturalHeight / img.naturalWidth))
        .toBeCloseTo(2, 1)
    })

    await button(page, 'Upload 1 file').click()
    await button(page, 'Done').click()
    await expect(widget(page)).toBeHidden()
    await expect(photos(ben.page)).toHaveCount(1)
    const [width = 0, height = 0] = await sizeOfLast(ben.page)
    expect(height / width).toBeCloseTo(2, 1)
    expect(await page.evaluate(() => window.violations)).toEqual([])
  },
)

test(
  'a tour of the upload widget: refuse, caption, fail, retry, pause, cancel, offline',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openWidgetOf(browser, project.name)
    const { page, context } = ada
    await expect(button(page, 'browse')).toBeFocused()
    await ada.picture('picker-empty')
    expect.soft(await faultsOf(page, '.picker')).toEqual([])

    await test.step('what is not allowed is refused by a sentence', async () => {
      const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') }
      await chooseInWidget(page, file)
      await expect(
        widget(page).getByRole('alert').filter({ hasText: 'This file is neither a picture nor a video' }),
      ).toBeVisible()
      await ada.picture('picker-refused')
    })

    await choose(ada)
    await expect(widget(page).getByText('holiday.png')).toBeVisible()
    await ada.picture('picker-chosen')
    expect.soft(await faultsOf(page, '.picker')).toEqual([])

    await test.step('its card takes a caption', async () => {
      await button(page, 'Edit file holiday.png').click()
      await widget(page).getByLabel('Caption').fill('At the sea')
      // White on this colour is readable over any picture.
      await expect(button(page, 'Edit image')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0.8)')
      expect.soft(await faultsOf(page, '.picker')).toEqual([])
      // The card is at rest now.
      await ada.picture('picker-card')
    })

    await test.step('the editor is left by Escape alone', async () => {
      await button(page, 'Edit image').click()
      await expect(page.locator('.cropper-crop-box')).toBeVisible()
      await ada.picture('picker-editor')
      await page.keyboard.press('Escape')
      await button(page, 'Save changes').click()
    })

    await test.step('a failed upload says so, and why', async () => {
      const refuse = await onPut(ada, (route) =>
        route.fulfill({ status: 413, json: { error: 'Not today.' } }),
      )
      await button(page, 'Upload 1 file').click()
      await expect(widget(page).getByText('Upload failed')).toBeVisible()
      await expect(widget(page).getByRole('alert').filter({ hasText: 'Not today.' }).last()).toBeVisible()
      await ada.picture('picker-failed')
      await refuse()
    })

    await test.step('a retried upload is paused, resumed, and becomes a message with the caption', async () => {
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      const stop = await onPut(ada, async (route) => {
        await released
        // The pause has aborted the request.
        await route.fallback().catch(() => undefined)
      })
      await button(page, 'Retry upload').click()
      await button(page, 'Pause').click()
      await expect(widget(page).getByText('Paused', { exact: true })).toBeVisible()
      await ada.picture('picker-paused')
      await button(page, 'Resume').click()
      await expect(button(page, 'Pause')).toBeVisible()
      release()
      await button(page, 'Done').click()
      await expect(widget(page)).toBeHidden()
      await stop()
      await expect(photos(ben.page)).toHaveCount(1)
      await expect(ben.page.getByText('At the sea')).toBeVisible()
    })

    await test.step('an upload is cancelled, and another file can be chosen', async () => {
      const stop = await onPut(ada, () => new Promise(() => undefined))
      await openWidget(page)
      await choose(ada)
      await button(page, 'Upload 1 file').click()
      await button(page, 'Pause').waitFor()
      await button(page, 'Cancel').click()
      await expect(page.getByText('Drop a file here or browse')).toBeVisible()
      await stop()
      await button(page, 'Close').click()
      await expect(photos(page)).toHaveCount(1)
    })

    await test.step('an upload waits while the device is offline, and goes on', async () => {
      await openWidget(page)
      const section = widget(page)
      await expect(section.getByRole('button', { name: 'browse' })).toBeVisible()
      await ada.picture('picker-inline')
      await choose(ada)
      await section.getByRole('button', { name: 'Upload 1 file' }).waitFor()
      await context.setOffline(true)
      await expect(notice(page, 'No connection. The upload goes on when you are back.')).toBeVisible()
      await section.getByRole('button', { name: 'Upload 1 file' }).click()
      await context.setOffline(false)
      await section.getByRole('button', { name: 'Done' }).click()
      await expect(section).toBeHidden()
      await expect(photos(ben.page)).toHaveCount(2)
    })

    await test.step('in the dark theme it is dark', async () => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await openWidget(page)
      await choose(ada)
      await expect(button(page, 'Upload 1 file')).toBeVisible()
      await ada.picture('picker-dark')
      expect.soft(await faultsOf(page, '.picker')).toEqual([])
    })
    expect(await page.evaluate(() => window.violations)).toEqual([])
  },
)
