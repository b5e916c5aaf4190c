import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { sendFiles } from './choose-files.ts'
import { openMember, openPair, send } from './person.ts'
import { draw } from './picture-page.ts'
import { holdByTouch, middleOf } from './touch.ts'

/** Taps at the place of an element, whatever layer lies over it. */
async function tapAt(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  await page.touchscreen.tap(x, y)
}

async function sendPhoto(page: Page): Promise<void> {
  const buffer = Buffer.from(await draw(page, { width: 400, height: 300, type: 'image/jpeg' }))
  await sendFiles(page, { name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await expect(page.getByRole('button', { name: 'Open photo' })).toBeEnabled()
}

test(
  'a tap beside a sheet, a dialog or the menu of a message closes it and presses nothing beneath',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const log = page.getByRole('log')
    await sendPhoto(page)
    await send(ada, 'A text')
    await expect(log.getByText('A text')).toBeVisible()

    await test.step('the menu of a message opens under the finger, takes the focus, and stays when it is lifted', async () => {
      const photo = await middleOf(page.getByRole('button', { name: 'Open photo' }))
      const first = page.getByRole('menuitem').first()
      await holdByTouch(page, log.getByText('A text'), () => expect(first).toBeFocused())
      await expect(first).toBeFocused()
      await tapAt(page, photo)
      await expect(page.getByRole('menu')).toHaveCount(0)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      // The second tap opens the photo, so the first one was at the right place.
      await tapAt(page, photo)
      await expect(page.getByRole('dialog', { name: 'Photo' })).toBeVisible()
      await page.getByRole('button', { name: 'Close' }).click()
    })

    await test.step('the sheet of options over the way back', async () => {
      const back = await middleOf(
        page.getByRole('link', { name: 'Back' }).or(page.getByRole('button', { name: 'Back' })),
      )
      await page.getByRole('button', { name: 'Conversation options' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await tapAt(page, back)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(log).toBeVisible()
      await tapAt(page, back)
      await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)

test(
  'a tap beside the calculator’s About closes it and does not open the menu again',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const { page, context } = await openMember(browser, project.name, 'ada', '1815')
    const menu = await middleOf(page.getByRole('button', { name: 'Menu' }))
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'About' }).click()
    await expect(page.getByRole('dialog', { name: /About/ })).toBeVisible()
    await tapAt(page, menu)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await tapAt(page, menu)
    await expect(page.getByRole('button', { name: 'About' })).toBeVisible()
    await context.close()
  },
)

test(
  'the time of an emoji stands at its foot, and the name of the day covers no message',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const log = page.getByRole('log')
    await send(ada, '😀')
    const bubble = log.getByRole('article').first()
    await expect(bubble.getByText(/^(sent|read)$/)).toBeAttached()
    const whole = await bubble.boundingBox()
    const time = await bubble.getByText(/^now$/i).boundingBox()
    expect(time && whole && time.y + time.height / 2 > whole.y + whole.height / 2).toBe(true)

    for (let line = 1; line <= 18; line += 1) await send(ada, `Line ${line}`)
    await expect(log.getByText('Line 18', { exact: true })).toBeInViewport()
    const day = page.getByText('Today', { exact: true }).and(page.locator('[aria-hidden] *')).first()
    await expect(day).toBeVisible()
    const dayBox = await day.boundingBox()
    const logBox = await log.boundingBox()
    expect(dayBox && logBox && dayBox.y + dayBox.height <= logBox.y + 0.5).toBe(true)
    for (const { context } of [ada, ben]) await context.close()
  },
)
