import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { sendFiles } from './choose-files.ts'
import { openPair, send } from './person.ts'
import { holdByTouch } from './touch.ts'

const log = (page: Page) => page.getByRole('log')
const deleted = (page: Page) => log(page).getByText('Deleted message')

/** Opens the menu of the message with this text, and chooses an item. */
async function choose(page: Page, text: string, item: string): Promise<void> {
  await log(page).getByText(text).first().dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
  await page.getByRole('menuitem', { name: item }).click()
}
const confirmDeletion = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Delete for both' }).click()
async function deleteForBoth(page: Page, text: string): Promise<void> {
  await choose(page, text, 'Delete for both')
  await confirmDeletion(page)
}
async function edit(page: Page, text: string, next: string): Promise<void> {
  await choose(page, text, 'Edit')
  await page.getByLabel('Edited message').fill(next)
  await page.getByRole('button', { name: 'Save' }).click()
}

test(
  'a message that is deleted or edited changes for both at once, after a reload, in the list, and in every tab',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    for (const text of ['A secret', 'Teh edited one']) await send(ada, text)
    await choose(ada.page, 'Teh edited one', 'Reply')
    await send(ada, 'Kept')
    const row = ben.page.getByRole('link', { name: new RegExp(ada.username) })
    await expect(row).toContainText('Kept')
    await row.click()
    await expect(log(ben.page).getByText('A secret')).toBeVisible()

    await test.step('deleted for both by a long press: the other one reloads nothing, and a reload brings nothing back', async () => {
      const message = log(ada.page).getByText('A secret')
      const menu = ada.page.getByRole('menuitem', { name: 'Delete for both' })
      await holdByTouch(ada.page, message, () => expect(menu).toBeVisible())
      await menu.click()
      await ada.picture('delete-for-both')
      await confirmDeletion(ada.page)
      for (const { page } of [ada, ben]) {
        await expect(deleted(page)).toHaveCount(1)
        await expect(page.getByText('A secret')).toHaveCount(0)
      }
      await ben.page.reload()
      await expect(deleted(ben.page)).toHaveCount(1)
      await expect(log(ben.page).getByText('Kept')).toBeVisible()
      await expect(ben.page.getByText('A secret')).toHaveCount(0)
    })

    await test.step('edited: both see the new text with a mark, and in the message that answers it', async () => {
      await edit(ada.page, 'Teh edited one', 'The edited one')
      await ada.picture('edited')
      for (const { page } of [ada, ben]) {
        const bubble = log(page).getByRole('article').filter({ hasText: 'The edited one' }).first()
        const answer = log(page).getByRole('article').filter({ hasText: 'Kept' })
        await expect(answer.getByRole('button', { name: /Answer to.*The edited one/ })).toBeVisible()
        await expect(bubble.getByText('edited', { exact: true })).toBeVisible()
        await expect(page.getByText('Teh edited one')).toHaveCount(0)
      }
    })

    await test.step('deleted without a network: at once on the own screen, and for the other with the network', async () => {
      await ada.context.setOffline(true)
      await deleteForBoth(ada.page, 'Kept')
      await expect(deleted(ada.page)).toHaveCount(2)
      await expect(ada.page.getByText(/not sent/i)).toHaveCount(0)
      await expect(log(ben.page).getByText('Kept')).toBeVisible()
      await ada.context.setOffline(false)
      await expect(deleted(ben.page)).toHaveCount(2)
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(row).toContainText('Deleted message')
      await expect(row).not.toContainText('Kept')
      await row.click()
    })

    await test.step('edited in one tab and deleted in another at the same time: all agree', async () => {
      const tab = await ada.context.newPage()
      await tab.goto(ada.page.url())
      await send(ada, 'Both at once')
      for (const page of [tab, ben.page]) await expect(log(page).getByText('Both at once')).toBeVisible()
      await choose(tab, 'Both at once', 'Delete for both')
      await choose(ada.page, 'Both at once', 'Edit')
      await ada.page.getByLabel('Edited message').fill('Edited at once')
      let release: () => void = () => undefined
      const isDeleted = new Promise<void>((resolve) => (release = resolve))
      await ada.page.route('**/acts', async (route) => {
        await isDeleted
        await route.fallback()
      })
      await ada.page.getByRole('button', { name: 'Save' }).click()
      await expect(log(ada.page).getByText('Edited at once')).toBeVisible()
      await confirmDeletion(tab)
      await expect(deleted(ben.page)).toHaveCount(3)
      release()
      await expect(ada.page.getByText('Not edited', { exact: true })).toBeVisible()
      for (const page of [ada.page, tab, ben.page]) {
        await expect(deleted(page)).toHaveCount(3)
        await expect(log(page).getByText(/at once/)).toHaveCount(0)
      }
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'a picture that is deleted for both leaves the viewer of the other one',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    await sendFiles(ada.page, join(import.meta.dirname, '../../testing/fixtures/media/photo-grey.jpg'))
    const photo = (page: Page) => page.getByRole('button', { name: 'Open photo' })
    await expect(photo(ada.page)).toBeEnabled()
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await photo(ben.page).click()
    await expect(ben.page.getByRole('dialog', { name: 'Photo' }).getByRole('img')).toBeVisible()
    await photo(ada.page).dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
    await ada.page.getByRole('menuitem', { name: 'Delete for both' }).click()
    await confirmDeletion(ada.page)
    await expect(ben.page.getByRole('dialog')).toHaveCount(0)
    for (const { page } of [ada, ben]) {
      await expect(deleted(page)).toHaveCount(1)
      await expect(photo(page)).toHaveCount(0)
    }
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
