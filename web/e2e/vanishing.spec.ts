import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { sendFiles } from './choose-files.ts'
import { openPair, send } from './person.ts'
import type { Visitor } from './person.ts'
import { tabTo } from './tab-to.ts'
import { holdByTouch } from './touch.ts'
import { idOf, log, pass, setTimer } from './vanishing-kit.ts'

const photo = join(import.meta.dirname, '../../testing/fixtures/media/photo-grey.jpg')
const openPhoto = (page: Page) => page.getByRole('button', { name: 'Open photo' })
const rowOf = ({ page }: Visitor, other: Visitor) =>
  page.getByRole('link', { name: new RegExp(other.username) })

/** Returns what the rows of the messages and the quiet lines show, without times and ticks. */
const shownOn = (page: Page) =>
  log(page)
    .locator('article, p')
    .evaluateAll((parts) =>
      parts.map(
        (part) =>
          part.querySelector('[aria-label^="Open photo"]')?.getAttribute('aria-label') ??
          part.querySelector('[dir=auto], em')?.textContent ??
          part.textContent,
      ),
    )

const after30s = /set messages to vanish after 30 seconds/

test(
  'messages sent with a timer vanish on both sides, in the list, after a reload and offline',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const pages = [ada.page, ben.page]
    const id = idOf(ada.page)
    await send(ada, 'It stays')

    await test.step('the one who sets the timer and the other one see who did', async () => {
      await setTimer(ada.page, '30 seconds')
      await rowOf(ben, ada).click()
      await expect(log(ada.page).getByText(after30s)).toHaveText(
        'You set messages to vanish after 30 seconds Change',
      )
      await expect(log(ben.page).getByText(after30s)).toHaveText(`${ada.username} ${after30s.source} Change`)
      for (const page of pages) await expect(page.getByText('New messages vanish after')).toBeAttached()
    })

    await test.step('a text and a picture have the time on their bubbles, and the text vanishes first, also without a network', async () => {
      await send(ada, 'Soon gone')
      await sendFiles(ada.page, photo)
      for (const page of pages) {
        await expect(log(page).getByText('Soon gone')).toBeVisible()
        await expect(openPhoto(page)).toBeEnabled()
      }
      await expect(
        log(ben.page).getByText(/vanishes 30 seconds after reading: less than a minute/),
      ).toBeAttached()
      await expect(log(ada.page).getByText(/vanishes 5 minutes after sending/)).toBeAttached()
      await ada.picture('timer-own')
      await ben.picture('timer-other')
      await ben.context.setOffline(true)
      await pass(id, pages, 31_000)
      for (const page of pages) {
        await expect(log(page).getByText('Message vanished')).toBeVisible()
        await expect(page.getByText('Soon gone')).toHaveCount(0)
        await expect(openPhoto(page)).toBeVisible()
      }
      await ben.context.setOffline(false)
      await ben.picture('vanished')
    })

    await test.step('a reload brings nothing back, and what vanished in between is counted', async () => {
      const shown = (...last: string[]) => ['It stays', expect.stringMatching(after30s), ...last]
      for (const page of pages) {
        await page.reload()
        await expect.poll(() => shownOn(page)).toEqual(shown('Message vanished', 'Open photo'))
      }
      await pass(id, [], 300_000)
      for (const page of pages) {
        await page.reload()
        await expect.poll(() => shownOn(page)).toEqual(shown('2 messages vanished'))
      }
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(rowOf(ben, ada)).toContainText('Message vanished')
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'a message vanishes by itself after 30 seconds in two tabs, with its quotation, under the focus and the finger',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await setTimer(ada.page, '30 seconds')
    await send(ada, 'Soon gone')
    await rowOf(ben, ada).click()
    await expect(log(ben.page).getByText('Soon gone')).toBeVisible()
    const tab = await ben.context.newPage()
    await tab.goto(ben.page.url())
    await expect(log(tab).getByText('Soon gone')).toBeVisible()
    await holdByTouch(tab, log(tab).getByText('Soon gone'), () =>
      expect(tab.getByRole('menuitem', { name: 'Copy' })).toBeVisible(),
    )
    await setTimer(ben.page, 'Off')
    await log(ben.page).getByText('Soon gone').dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
    await ben.page.getByRole('menuitem', { name: 'Reply' }).click()
    await send(ben, 'An answer')
    await log(ben.page).getByRole('article').first().focus()
    for (const page of [ada.page, ben.page, tab]) {
      await expect(log(page).getByText('Message vanished', { exact: true }).first()).toBeVisible({
        timeout: 60_000,
      })
      await expect(page.getByText('Soon gone')).toHaveCount(0)
      const answer = log(page).getByRole('article').filter({ hasText: 'An answer' })
      await expect(answer).toContainText('Message vanished')
    }
    await expect(tab.getByRole('menuitem')).toHaveCount(0)
    await expect(log(ben.page)).toBeFocused()
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'the viewer closes when its picture vanishes, and stays when another one does',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const pages = [ada.page, ben.page]
    const id = idOf(ada.page)
    await setTimer(ada.page, '5 minutes')
    await sendFiles(ada.page, photo)
    await rowOf(ben, ada).click()
    for (const page of pages) await expect(openPhoto(page)).toBeVisible()
    await expect(log(ben.page).getByText(/after reading: /)).toBeAttached()
    await pass(id, [], 150_000)
    for (const page of pages) await page.reload()
    await sendFiles(ada.page, photo)
    for (const page of pages) {
      await expect(openPhoto(page)).toHaveCount(2)
      await expect(log(page).getByText(/after (reading|sending): /)).toHaveCount(2)
    }
    const viewer = (page: Page) => page.getByRole('dialog', { name: 'Photo' })
    await openPhoto(ada.page).last().click()
    await openPhoto(ben.page).first().click()
    for (const page of pages) await expect(viewer(page).getByRole('img').first()).toBeVisible()
    await pass(id, pages, 155_000)
    await expect(viewer(ben.page)).toHaveCount(0)
    for (const page of pages) await expect(page.getByText('Message vanished')).toBeAttached()
    await expect(viewer(ada.page).getByRole('img').first()).toBeVisible()
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'the timer is set by keys alone, and its dialog and all it shows look right in every size and theme',
  { tag: ['@full', '@desktop'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    await page.getByRole('button', { name: 'Conversation options' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Vanishing messages/ }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Vanishing messages' })
    await expect(dialog).toBeVisible()
    await check(page, '93-timer-dialog', looks)
    await page.setViewportSize({ width: 1440, height: 900 })
    await dialog.getByRole('radio', { name: 'Off' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(dialog.getByRole('radio', { name: '30 seconds' })).toBeChecked()
    await tabTo(page, dialog.getByRole('button', { name: 'Save' }))
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    for (const text of ['First gone', 'Second gone']) await send(ada, text)
    await rowOf(ben, ada).click()
    await expect(log(ben.page).getByText('Second gone')).toBeVisible()
    await pass(idOf(page), [page, ben.page], 31_000)
    await expect(log(page).getByText('2 messages vanished')).toBeVisible()
    await send(ada, 'One with a time')
    await send(ben, 'And an answer with a time')
    // The day stands above what has vanished on it.
    await expect(log(page)).toHaveText(
      /(Today|Yesterday).*2 messages vanished.*One with a time.*And an answer with a time/,
    )
    await check(page, '94-timer-chat', looks)
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
