import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { sendFiles } from './choose-files.ts'
import { sendFilm } from './flee-ways.ts'
import { openPair, send } from './person.ts'
import { draw } from './picture-page.ts'

const log = (page: Page) => page.getByRole('log')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test(
  'the overview shows the media of a chat, opens them, and follows a deletion in the other browser',
  { tag: ['@phone', '@full'] },
  async ({ browser }, { project }) => {
    const [ben, ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    await page.getByRole('link', { name: new RegExp(ben.username) }).click()
    for (const name of ['first', 'second']) {
      const buffer = Buffer.from(await draw(ben.page, { width: 400, height: 300, type: 'image/jpeg' }))
      await sendFiles(ben.page, { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer })
    }
    await sendFilm(ben.page)
    for (let number = 1; number <= 55; number += 1) await send(ben, `Line ${number}`)
    await expect(log(page).getByText('Line 55')).toBeVisible()
    await page.reload()
    await expect(log(page).getByText('Line 55')).toBeVisible()
    const dialog = page.getByRole('dialog', { name: 'Photos, videos and voice' })
    const tiles = dialog.getByRole('button', { name: /^(Open photo|Play video), / })

    await test.step('media of former pages are loaded', async () => {
      await button(page, 'Conversation options').click()
      await button(page, 'Photos, videos and voice').click()
      await expect(tiles).toHaveCount(3)
      await expect(dialog.getByRole('status')).toHaveText('Nothing older')
      for (const tile of await tiles.all()) await expect(tile.locator('img')).toHaveAttribute('src', /^blob:/)
      await check(
        page,
        'overview',
        looks.filter(({ name }) => name !== 'narrow-light'),
      )
    })

    await test.step('a photo opens in the viewer, and closing it leads back', async () => {
      await tiles.last().click()
      const viewer = page.getByRole('dialog', { name: 'Photo', exact: true })
      await expect(viewer.getByRole('img')).toBeVisible()
      await viewer.getByRole('button', { name: 'Close' }).click()
      await expect(viewer).toHaveCount(0)
      await expect(tiles.last()).toBeFocused()
    })

    await test.step('an open video closes when it is deleted for both', async () => {
      await tiles.first().click()
      const viewer = page.getByRole('dialog', { name: 'Video', exact: true })
      await expect(viewer.getByRole('slider').first()).toBeVisible()
      await ben.page.reload()
      await deleteFilm(ben.page)
      await expect(viewer).toHaveCount(0)
      await expect(tiles).toHaveCount(2)
    })

    await test.step('the page keeps no object URL of the closed overview', async () => {
      const urls = await dialog
        .locator('img')
        .evaluateAll((all) => all.map((img) => (img as HTMLImageElement).src))
      await dialog.getByRole('button', { name: 'Close' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(button(page, 'Conversation options')).toBeFocused()
      const answers = await page.evaluate(
        (all) =>
          Promise.all(
            all.map((url) =>
              fetch(url).then(
                () => 'kept',
                () => 'released',
              ),
            ),
          ),
        urls,
      )
      expect(answers).toEqual(['released', 'released'])
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

/** Scrolls up to the only film of the chat and deletes it for both. */
async function deleteFilm(page: Page): Promise<void> {
  const play = log(page).getByRole('button', { name: /^Play video/ })
  await expect(log(page).getByText('Line 55')).toBeVisible()
  await expect(async () => {
    await log(page).evaluate((element) => element.scrollTo(0, 0))
    await expect(play).toBeVisible({ timeout: 500 })
  }).toPass()
  await play.dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
  await page.getByRole('menuitem', { name: 'Delete for both' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for both' }).click()
}
