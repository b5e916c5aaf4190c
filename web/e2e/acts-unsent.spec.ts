import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { chooseFiles, previewOf } from './choose-files.ts'
import { openPair, send, unlockOnKeypad } from './person.ts'
import { waitUntilKept } from './stored-entries.ts'
import { tabTo } from './tab-to.ts'

const photo = join(import.meta.dirname, '../../testing/fixtures/media/photo-grey.jpg')
const log = (page: Page) => page.getByRole('log')
const box = (page: Page) => page.getByLabel('Edited message')

/** Opens the menu of a message by keys alone, `up` messages above the end, and chooses an item. */
async function choose(page: Page, up: number, item: string): Promise<void> {
  await tabTo(page, log(page), 'Shift+Tab')
  for (let step = 1; step <= up; step += 1) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ContextMenu')
  await expect(page.getByRole('menuitem', { name: /👍/ })).toBeFocused()
  const wanted = page.getByRole('menuitem', { name: item })
  while (!(await wanted.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

async function edit(page: Page, up: number, text: string): Promise<void> {
  await choose(page, up, 'Edit')
  await expect(box(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** Returns what each bubble shows, without times and ticks. */
const shownOn = (page: Page) =>
  log(page)
    .getByRole('article')
    .evaluateAll((bubbles) =>
      bubbles.map((bubble) => ({
        text: bubble.querySelector('[dir=auto], em')?.textContent ?? '',
        isEdited: [...bubble.querySelectorAll('span')].some(({ textContent }) => textContent === 'edited'),
        hasPhoto: bubble.querySelector('[aria-label^="Open photo"]') !== null,
      })),
    )

test(
  'acts from the keyboard that could not be sent survive a reload and a lock, and both sides agree in the end',
  { tag: ['@full', '@desktop'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page, context } = ada
    const openChat = (person = ada, other = ben) =>
      person.page.getByRole('link', { name: new RegExp(other.username) }).click()
    for (const text of ['Taken back', 'Teh text']) await send(ada, text)
    await chooseFiles(page, photo)
    await previewOf(page).getByLabel('Caption').fill('Teh caption')
    await previewOf(page).getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('button', { name: 'Open photo' })).toBeEnabled()
    const asMade = [
      { text: 'Deleted message', isEdited: false, hasPhoto: false },
      { text: 'The text', isEdited: true, hasPhoto: false },
      { text: 'The caption', isEdited: true, hasPhoto: true },
    ]

    await test.step('by keys: deleted, edited, a caption edited', async () => {
      await context.route('**/acts', (route) => route.abort())
      await choose(page, 3, 'Delete for both')
      await check(page, '90-delete-for-both', looks)
      await page.setViewportSize({ width: 1440, height: 900 })
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Delete for both' }))
      await page.keyboard.press('Enter')
      await edit(page, 2, 'The text')
      await check(page, '91-editing', looks)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.keyboard.press('Enter')
      await edit(page, 1, 'The caption')
      await page.keyboard.press('Enter')
      await expect.poll(() => shownOn(page)).toEqual(asMade)
      await check(page, '92-changed', looks)
      await page.setViewportSize({ width: 1440, height: 900 })
    })

    await test.step('they are there after a reload, and after a lock, as is an edit that was begun', async () => {
      await edit(page, 2, 'The text, half')
      await waitUntilKept(page)
      await page.reload()
      await expect.poll(() => shownOn(page)).toEqual(asMade)
      await page.goto('/')
      await unlockOnKeypad(ada)
      await openChat()
      await expect.poll(() => shownOn(page)).toEqual(asMade)
      await choose(page, 2, 'Edit')
      await expect(box(page)).toHaveValue('The text, half')
      await page.keyboard.press('Escape')
      await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
    })

    await test.step('they are sent with the next attempt, and the other side shows the same', async () => {
      await openChat(ben, ada)
      await expect(log(ben.page).getByText('Teh caption')).toBeVisible()
      await context.unroute('**/acts')
      await page.reload()
      for (const one of [page, ben.page]) await expect.poll(() => shownOn(one)).toEqual(asMade)
    })

    await test.step('of two tabs that edit one text, the later one gets its text back', async () => {
      const tab = await context.newPage()
      await tab.goto(page.url())
      await expect.poll(() => shownOn(tab)).toEqual(asMade)
      let release: () => void = () => undefined
      const isEdited = new Promise<void>((resolve) => (release = resolve))
      await tab.route('**/acts', async (route) => {
        await isEdited
        await route.fallback()
      })
      await edit(tab, 2, 'From the second tab')
      await tab.keyboard.press('Enter')
      await expect(log(tab).getByText('From the second tab')).toBeVisible()
      await edit(page, 2, 'From the first tab')
      await page.keyboard.press('Enter')
      await expect(log(ben.page).getByText('From the first tab')).toBeVisible()
      release()
      await expect(tab.getByText('Not edited', { exact: true })).toBeVisible()
      await expect(tab.getByLabel('Message', { exact: true })).toHaveValue('From the second tab')
      const inTheEnd = asMade.with(1, { text: 'From the first tab', isEdited: true, hasPhoto: false })
      for (const one of [page, tab, ben.page]) await expect.poll(() => shownOn(one)).toEqual(inTheEnd)
    })
    await Promise.all([ada, ben].map((person) => person.context.close()))
  },
)
