import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { openPair, send, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { markPage, waitUntilReplaced } from './replaced-page.ts'
import { dragByMouse, pressEscapeTwice } from './timed-input.ts'
import { strokeByTouch } from './touch.ts'

const greeting = 'A message that is long enough to drag a mouse over it from one end to the other'

/** Opens a chat of two people after the first has sent a message to the second. */
async function openChatWithMessage(browser: Browser, project: string): Promise<[Visitor, Visitor]> {
  const [ada, ben] = await openPair(browser, project)
  await send(ada, greeting)
  await expect(ada.page.getByRole('log').getByText(/^(sent|read)$/)).toBeVisible()
  // The layout does not change from here on.
  await expect(ada.page.getByText(/^Daily message limit reached/)).toBeVisible()
  return [ada, ben]
}

/** Expects the calculator on a newly loaded page, and a locked session. */
async function expectToHaveLeft(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
  await expect(page).toHaveURL('/')
  await waitUntilReplaced(page)
  await expect.poll(async () => (await page.request.get('/api/conversations')).status()).toBe(423)
}

test(
  'CONV-05 CHAT-18: a finger that swipes left or right over the list or a chat leaves to a locked calculator',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openChatWithMessage(browser, project.name)
    const { page } = ada
    const chat = new URL(page.url()).pathname
    const openList = async () => {
      await expect(page.getByRole('link', { name: new RegExp(ben.username) })).toBeVisible()
    }
    const openChat = async () => {
      await page.getByRole('link', { name: new RegExp(ben.username) }).click()
      await expect(page).toHaveURL(chat)
      await expect(page.getByRole('log').getByText(greeting)).toBeVisible()
    }
    const composer = async () => {
      await openChat()
      const box = await page.getByLabel('Message', { exact: true }).boundingBox()
      return { x: 195, y: (box?.y ?? 0) + 20 }
    }
    const middle = { x: 195, y: 420 }
    const strokes: [string, () => Promise<{ x: number; y: number } | void>, number][] = [
      ['right in the chat', openChat, 120],
      ['left in the chat', openChat, -120],
      ['right over the composer', composer, 120],
      ['right in the list', openList, 120],
      ['left in the list', openList, -120],
    ]
    await page.goto('/')
    await expectToHaveLeft(page)
    for (const [name, open, byX] of strokes) {
      await test.step(name, async () => {
        await unlockOnKeypad(ada)
        const from = (await open()) ?? middle
        await markPage(page)
        await strokeByTouch(page, { from, byX })
        await expectToHaveLeft(page)
      })
    }
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)

test(
  'a mouse drag leaves over the background but not over text, and pressing Escape twice leaves every screen',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openChatWithMessage(browser, project.name)
    const { page } = ada
    await test.step('a drag over the text of a message does not leave', async () => {
      await markPage(page)
      const box = await page.getByRole('log').getByText(greeting).boundingBox()
      if (!box) throw new Error('The message has no box.')
      await dragByMouse(page, { x: box.x + 20, y: box.y + box.height / 2 - 6 }, 140)
      // The person can go to the list and back only if the page was not left.
      await page.getByRole('button', { name: 'Back to Messages' }).click()
      await page.getByRole('link', { name: new RegExp(ben.username) }).click()
      await expect(page.getByRole('log').getByText(greeting)).toBeVisible()
      expect(await page.evaluate(() => 'before' in window)).toBe(true)
      expect((await page.request.get('/api/conversations')).status()).toBe(200)
    })

    await test.step('a drag over the background of the chat leaves', async () => {
      await page.getByRole('log').click({ position: { x: 10, y: 200 } })
      await dragByMouse(page, { x: 600, y: 300 }, 120)
      await expectToHaveLeft(page)
    })

    const escapeTwice = async () => {
      await markPage(page)
      await pressEscapeTwice(page)
      await expectToHaveLeft(page)
    }
    await test.step('Escape twice in the list, with a dialog open', async () => {
      await unlockOnKeypad(ada)
      await page.getByRole('button', { name: 'New conversation' }).click()
      await page.getByLabel('User code').fill('AB')
      await escapeTwice()
    })
    await test.step('Escape twice in a chat, while writing', async () => {
      await unlockOnKeypad(ada)
      await page.getByRole('link', { name: new RegExp(ben.username) }).click()
      await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
      await escapeTwice()
    })
    await test.step('Escape twice in the settings', async () => {
      await unlockOnKeypad(ada)
      await page.getByRole('button', { name: 'Settings' }).click()
      await expect(page.getByText('Your unique code')).toBeVisible()
      await escapeTwice()
    })
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)
