import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { sendFiles } from './choose-files.ts'
import { openPair, send } from './person.ts'
import { waitUntilKept } from './stored-entries.ts'
import { holdByTouch } from './touch.ts'

const log = (page: Page) => page.getByRole('log')
const bubble = (page: Page, text: string) =>
  log(page)
    .getByRole('article')
    .filter({ has: page.getByText(text, { exact: true }) })
    .last()
const bar = (page: Page) => page.getByRole('group', { name: 'Reply' })
const quotationIn = (page: Page, text: string) =>
  bubble(page, text).getByRole('button', { name: /Answer to/ })

async function reply(page: Page, text: string): Promise<void> {
  const item = page.getByRole('menuitem', { name: 'Reply' })
  await holdByTouch(page, bubble(page, text), () => expect(item).toBeVisible())
  await item.click()
  await expect(bar(page)).toContainText(text)
}

test(
  'a message is answered by touch, and the quotation leads back to a page that is not loaded',
  { tag: ['@phone', '@full'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await send(ada, 'Tea or coffee?')
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await expect(bubble(ben.page, 'Tea or coffee?')).toBeVisible()

    await test.step('an answer that is begun survives leaving the chat and a reload', async () => {
      await reply(ben.page, 'Tea or coffee?')
      await check(ben.page, '93-reply-begun', looks)
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
      await expect(bar(ben.page)).toContainText('Tea or coffee?')
      await waitUntilKept(ben.page)
      await ben.page.reload()
      await expect(bar(ben.page)).toContainText('Tea or coffee?')
    })

    await test.step('both see what it answers', async () => {
      for (let number = 1; number <= 60; number += 1) await send(ada, `Line ${number}`)
      await expect(bubble(ben.page, 'Line 60')).toBeVisible()
      await send(ben, 'Tea')
      await expect(bar(ben.page)).toHaveCount(0)
      await expect(quotationIn(ada.page, 'Tea')).toContainText('Tea or coffee?')
    })

    await test.step('a picture answers, too', async () => {
      await reply(ben.page, 'Line 60')
      await sendFiles(ben.page, join(import.meta.dirname, '../../testing/fixtures/media/photo-grey.jpg'))
      await expect(bar(ben.page)).toHaveCount(0)
      const photo = log(ada.page)
        .getByRole('article')
        .filter({ has: ada.page.getByRole('button', { name: 'Open photo' }) })
      await expect(photo.getByRole('button', { name: /Answer to/ })).toContainText('Line 60')
      await check(ada.page, '94-answered', looks)
    })

    await test.step('after a reload the message is not loaded; without a network that is said, with it pages are loaded', async () => {
      await ada.page.reload()
      const quotation = quotationIn(ada.page, 'Tea')
      await expect(quotation).toContainText('Earlier message')
      await ada.context.setOffline(true)
      await quotation.tap()
      await expect(ada.page.getByText('Message not loaded', { exact: true })).toBeVisible()
      await ada.context.setOffline(false)
      await quotation.tap()
      const answered = log(ada.page).locator('article:focus')
      await expect(answered).toContainText('Tea or coffee?')
      await expect(answered).toBeInViewport()
      await ada.picture('led-back')
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
