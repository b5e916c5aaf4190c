import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openPair, unlockOnKeypad } from './person.ts'
import { storedEntries, waitUntilKept } from './stored-entries.ts'

const draft = 'half a sentence that'
const message = `${draft} is whole now`

const composer = (page: Page) => page.getByLabel('Message', { exact: true })
const pending = (page: Page) => page.getByRole('log').getByText(`${message}sending…`)

/** Returns the names and lengths of all entries in the browser's storages. */
const kept = async (page: Page) => [
  ...(await page.evaluate(() => [
    ...Object.keys(sessionStorage),
    ...Object.entries(localStorage).map(([key, value]) => `${key} ${String(value).length}`),
  ])),
  ...(await storedEntries(page)).map(({ place, bytes }) => `${place} ${bytes.length}`),
]

test(
  'a draft and an unsent message survive navigation, a reload, a lock and another tab, and are sent once',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page } = ada
    const chat = new URL(page.url()).pathname
    const openChat = () => page.getByRole('link', { name: new RegExp(ben.username) }).click()
    await expect(composer(page)).toBeEnabled()
    const keptBefore = await kept(page)
    expect(keptBefore.filter((entry) => / 65536$/.test(entry))).toHaveLength(1)

    await test.step('a draft is there after going to the list and the settings, after a reload and after a lock', async () => {
      await composer(page).pressSequentially(draft)
      await page.getByRole('button', { name: 'Back to Messages' }).click()
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Back' }).click()
      await openChat()
      await expect(composer(page)).toHaveValue(draft)
      await page.reload()
      await expect(composer(page)).toHaveValue(draft)
      await page.goto('/')
      await unlockOnKeypad(ada)
      await openChat()
      await expect(composer(page)).toHaveValue(draft)
    })

    await test.step('a message that could not be sent after a reload is there after another, and after a lock', async () => {
      await page.reload()
      await expect(composer(page)).toHaveValue(draft)
      await ada.context.route('**/api/messages', (route) => route.abort())
      await composer(page).press('End')
      await composer(page).pressSequentially(' is whole now')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(pending(page)).toBeVisible()
      await waitUntilKept(page)
      await page.reload()
      await expect(pending(page)).toBeVisible()
      await expect(composer(page)).toHaveValue('')
      await page.goto('/')
      await unlockOnKeypad(ada)
      await openChat()
      await expect(pending(page)).toBeVisible()
    })

    await test.step('the browser’s storage reveals neither that something was written nor how much', async () => {
      expect(await kept(page)).toEqual(keptBefore)
    })

    await test.step('another tab shows the message, too, and the other person receives it once', async () => {
      const tab = await ada.context.newPage()
      await tab.goto(chat)
      await expect(pending(tab)).toBeVisible()
      await ada.context.unroute('**/api/messages')
      for (const one of [page, tab]) await one.reload()
      for (const one of [page, tab]) {
        await expect(one.getByRole('log').getByText(/^(sent|read)$/)).toBeVisible()
        await expect(pending(one)).toBeHidden()
      }
      await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
      await expect(ben.page.getByRole('log').getByRole('article')).toHaveCount(1)
      await expect(ben.page.getByRole('log').getByText(message)).toBeVisible()
    })
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)
