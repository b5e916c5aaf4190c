import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { openPair, send } from './person.ts'
import { holdByTouch } from './touch.ts'

const log = (page: Page) => page.getByRole('log')
/** The reactions below the bubbles, as they are read out. */
const shownOn = (page: Page) =>
  log(page)
    .getByRole('list', { name: 'Reactions' })
    .getByRole('listitem')
    .evaluateAll((chips) => chips.map((chip) => chip.querySelector('bdi')?.textContent))
const chip = (page: Page, name: RegExp) => log(page).getByRole('button', { name })

async function react(page: Page, text: string, name: RegExp): Promise<void> {
  await log(page).getByText(text).dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
  await page.getByRole('menuitem', { name }).click()
}

test(
  'a reaction is shown to both at once and after a reload, counts as one for both, and is taken back by a second tap',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    for (const text of ['First', 'Second']) await send(ada, text)
    const row = ben.page.getByRole('link', { name: new RegExp(ada.username) })
    await row.click()

    await test.step('by a long press; the other one reloads nothing', async () => {
      const message = log(ben.page).getByText('First')
      const item = ben.page.getByRole('menuitem', { name: /❤️/ })
      await holdByTouch(ben.page, message, () => expect(item).toBeVisible())
      await ben.picture('reaction-menu')
      await item.click()
      for (const { page } of [ada, ben]) await expect.poll(() => shownOn(page)).toEqual(['❤️'])
      await ada.page.reload()
      await expect.poll(() => shownOn(ada.page)).toEqual(['❤️'])
    })

    await test.step('the same of both is one chip with 2, also in every size and theme', async () => {
      await chip(ada.page, new RegExp(`from ${ben.username}`)).click()
      for (const { page } of [ada, ben]) await expect(chip(page, /from you and/)).toContainText('2')
      await react(ada.page, 'Second', /😂/)
      await expect.poll(() => shownOn(ben.page)).toEqual(['❤️', '😂'])
      await check(ada.page, 'reactions', looks)
    })

    await test.step('any emoji of the keyboard, without a network, replaces the own one', async () => {
      await ben.context.setOffline(true)
      await react(ben.page, 'First', /another/)
      await ben.page.getByLabel('Emoji').fill('🦄')
      await ben.page.getByRole('button', { name: 'React', exact: true }).click()
      await expect.poll(() => shownOn(ben.page)).toEqual(['❤️', '🦄', '😂'])
      await expect.poll(() => shownOn(ada.page)).toEqual(['❤️', '😂'])
      await ben.context.setOffline(false)
      await expect.poll(() => shownOn(ada.page)).toEqual(['🦄', '❤️', '😂'])
    })

    await test.step('the same again takes it back and says so; the list shows nothing of it', async () => {
      await chip(ada.page, /❤️ from you/).click()
      await expect(ada.page.getByText('Reaction removed', { exact: true })).toBeVisible()
      for (const { page } of [ada, ben]) await expect.poll(() => shownOn(page)).toEqual(['🦄', '😂'])
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(row).toContainText('Second')
      await expect(row).not.toContainText('😂')
    })

    await test.step('it goes with its message', async () => {
      await react(ada.page, 'First', /Delete for both/)
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete for both' }).click()
      await row.click()
      for (const { page } of [ada, ben]) await expect.poll(() => shownOn(page)).toEqual(['😂'])
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
