import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { check, faultsOf, looks, sizes } from './check-screen.ts'
import { storageOf } from './lock-memory.ts'
import { openPair, send, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { markPage, waitUntilReplaced } from './replaced-page.ts'
import { storedEntries } from './stored-entries.ts'
import { strokeByTouch } from './touch.ts'

const log = (page: Page) => page.getByRole('log')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search in this chat' })
const bar = (page: Page) => page.getByRole('search', { name: /^Search in/ })
const status = (page: Page) => bar(page).getByRole('status')
const current = (page: Page) => log(page).locator('mark.bg-accent')
const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(username) }).click()

async function openSearch(page: Page): Promise<void> {
  await button(page, 'Conversation options').click()
  await button(page, 'Search').click()
  await expect(field(page)).toBeFocused()
}

/** Returns all that the browser keeps for the page: its storages, its address and its history. */
const keptBy = async (page: Page) => {
  const history = await page.evaluate(() =>
    JSON.stringify([location.href, window.history.state, document.title]),
  )
  return [await storageOf(page), JSON.stringify(await storedEntries(page)), history].join()
}

test(
  'a chat is searched by touch: match to match, into pages that are not loaded, and nothing of it is kept',
  { tag: ['@phone', '@full'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ben
    await openChat(ben, ada)
    await send(ada, 'The Café Zyxwv is open')
    for (let number = 1; number <= 60; number += 1) await send(ada, `Line ${number}`)
    await send(ben, 'See https://cafe.example/menu')
    await expect(log(page).getByText(/^(sent|read)$/)).toHaveCount(1)
    await page.reload()
    await expect(log(page).getByText('Line 60')).toBeVisible()

    await test.step('a typed text leads to the newest match', async () => {
      await openSearch(page)
      await field(page).fill('line 5')
      await expect(status(page)).toHaveText(/^1 of 10/)
      await expect(current(page)).toHaveText('Line 5')
      await expect(current(page)).toBeInViewport()
      await expect(page.getByLabel('Message', { exact: true })).toBeHidden()
      await check(
        page,
        'search',
        looks.filter(({ name }) => name !== 'narrow-light'),
      )
      await expect(current(page)).toBeInViewport()
      await page.setViewportSize({ width: 844, height: 390 })
      await expect(page.getByLabel('Message', { exact: true })).toBeHidden()
      await page.setViewportSize(sizes.phone)
      await button(page, 'Older match').tap()
      await expect(status(page)).toHaveText(/^2 of 10/)
      await expect(
        log(page)
          .getByRole('article')
          .filter({ has: page.locator('mark.bg-accent') }),
      ).toContainText('Line 58')
      await button(page, 'Newer match').tap()
      await expect(status(page)).toHaveText(/^1 of 10/)
    })

    await test.step('a lock while pages are loaded ends the search in both tabs', async () => {
      const other = await ben.context.newPage()
      await other.goto(page.url())
      await expect(log(other).getByText('Line 60')).toBeVisible()
      await openSearch(other)
      await field(other).fill('line 60')
      await expect(status(other)).toHaveText(/^1 of 1/)
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route(/before=/, (route) => held.then(() => route.continue()).catch(() => undefined))
      await field(page).fill('zyxwv')
      await expect(status(page)).toHaveText(/^Searched back to/)
      for (const tab of [page, other]) await markPage(tab)
      await strokeByTouch(page, { from: { x: 195, y: 420 }, byX: 120 })
      for (const tab of [page, other]) {
        await waitUntilReplaced(tab)
        await expect(button(tab, '=')).toBeVisible()
        await expect(bar(tab)).toHaveCount(0)
      }
      release()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(await keptBy(page)).not.toMatch(/zyxwv/i)
      await other.close()
      await unlockOnKeypad(ben)
      await openChat(ben, ada)
      await expect(log(page).getByText('Line 60')).toBeVisible()
      await expect(bar(page)).toHaveCount(0)
    })
    await page.getByLabel('Message', { exact: true }).fill('a draft')
    const historyLength = await page.evaluate(() => history.length)

    await test.step('a match of a former page is found; without a network that is said', async () => {
      await openSearch(page)
      await ben.context.setOffline(true)
      await field(page).fill('cafe zyxwv')
      await expect(status(page)).toHaveText('Older messages could not be loaded. Check your connection.')
      await ben.picture('search-offline')
      await ben.context.setOffline(false)
      await button(page, 'Retry').tap()
      await expect(status(page)).toHaveText('1 of 1 · No older match')
      await expect(current(page)).toHaveText('Café Zyxwv')
      await expect(current(page)).toBeInViewport()
      expect(await faultsOf(page)).toEqual([])
    })

    await test.step('a new match and a deleted one move the place', async () => {
      await field(page).fill('zyxwv')
      await expect(status(page)).toHaveText('1 of 1 · No older match')
      await send(ada, 'Zyxwv again')
      await expect(status(page)).toHaveText('2 of 2 · No older match')
      await ada.page
        .getByRole('log')
        .getByText('Zyxwv again')
        .dispatchEvent('contextmenu', { clientX: 100, clientY: 300 })
      await ada.page.getByRole('menuitem', { name: 'Delete for both' }).click()
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete for both' }).click()
      await expect(status(page)).toHaveText('1 of 1 · No older match')
    })

    await test.step('a match that is edited shows the box in place of the hidden composer', async () => {
      await send(ada, 'Another zyxwv')
      await expect(status(page)).toHaveText('2 of 2 · No older match')
      await openSearch(ada.page)
      const match = log(ada.page).getByText('Another zyxwv')
      await match.dispatchEvent('contextmenu', { clientX: 100, clientY: 300 })
      await ada.page.getByRole('menuitem', { name: 'Edit' }).click()
      await expect(ada.page.getByLabel('Edited message')).toBeFocused()
      await button(ada.page, 'Stop editing').click()
      await button(ada.page, 'Close search').click()
    })

    await test.step('nothing of it is kept, and a reload does not bring it back', async () => {
      await field(page).fill('zyxwvquery')
      await expect(status(page)).toHaveText('No match in this chat')
      expect(await keptBy(page)).not.toContain('zyxwvquery')
      expect(await page.evaluate(() => history.length)).toBe(historyLength)
      await page.reload()
      await expect(page.getByLabel('Message', { exact: true })).toHaveValue('a draft')
      await expect(bar(page)).toHaveCount(0)
      expect(await keptBy(page)).not.toContain('zyxwvquery')
    })

    await test.step('closing it leads to the match, and Back leaves the chat', async () => {
      await openSearch(page)
      await field(page).fill('line 60')
      await expect(status(page)).toHaveText('1 of 1')
      await button(page, 'Close search').tap()
      await expect(bar(page)).toHaveCount(0)
      await expect(log(page).locator('article:focus')).toContainText('Line 60')
      await openSearch(page)
      // The match is still marked, and takes no focus from the field.
      await log(page).evaluate((list) => {
        const ended = new Promise((resolve) => list.addEventListener('scrollend', resolve, { once: true }))
        list.scrollBy(0, -60)
        return ended
      })
      await expect(log(page).locator('article.ring-accent')).toHaveCount(0)
      await expect(field(page)).toBeFocused()
      await page.goBack()
      await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
      await openChat(ben, ada)
      await expect(bar(page)).toHaveCount(0)
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'a chat is searched by keyboard alone, in a narrow window and with text of twice the size',
  { tag: ['@desktop', '@full'] },
  async ({ browser }, { project }) => {
    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    for (const text of ['Tea at four', 'Coffee', 'Green tea']) await send(ada, text)
    await expect(log(page).getByText(/^(sent|read)$/)).toHaveCount(3)
    await page.keyboard.press('Control+f')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('TEA')
    await expect(status(page)).toHaveText('1 of 2')
    await page.keyboard.press('Enter')
    await expect(status(page)).toHaveText('2 of 2 · No older match')
    await page.keyboard.press('Shift+Enter')
    await expect(status(page)).toHaveText('1 of 2')
    await ada.picture('search')

    await page.setViewportSize(sizes.narrow)
    const session = await page.context().newCDPSession(page)
    await session.send('Page.enable')
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
    for (const name of ['Close search', 'Older match', 'Newer match'])
      await expect(button(page, name)).toBeInViewport({ ratio: 1 })
    await expect(field(page)).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(sizes.narrow.width)
    await ada.picture('search-narrow')
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)
    await expect(log(page).locator('article:focus')).toContainText('Green tea')
    await page.context().close()
  },
)
