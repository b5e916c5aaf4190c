import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { openPair } from './person.ts'
import { middleOf, strokeByTouch } from './touch.ts'

const sizes = [
  { width: 390, height: 844 },
  { width: 320, height: 568 },
  { width: 667, height: 375 },
  { width: 844, height: 390 },
  { width: 1440, height: 900 },
]
const boxOf = (element: Locator) =>
  element.evaluate((found) => found.getBoundingClientRect().toJSON() as DOMRect)

/** Expects at every size that the toast lies over none of these elements. */
async function expectClear(page: Page, others: Locator[]): Promise<void> {
  const toast = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Dismiss' }) })
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect(toast).toBeInViewport({ ratio: 1 })
    const over = await boxOf(toast)
    for (const other of others) {
      const under = await boxOf(other)
      const isClear =
        under.left >= over.right ||
        over.left >= under.right ||
        under.top >= over.bottom ||
        over.top >= under.bottom
      expect(isClear, `${String(other)} at ${size.width} × ${size.height}`).toBe(true)
    }
  }
}

test(
  'toasts cover neither the bar of a blocked conversation, nor the composer, nor the buttons of a dialog',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page } = ada
    // A focused toast stays while it is measured.
    const keepToast = () => page.keyboard.press('F8')
    const button = (name: string) => page.getByRole('button', { name, exact: true })

    await test.step('the dialog of a new conversation', async () => {
      await button('Back to Messages').click()
      await button('New conversation').click()
      await page.getByLabel('User code').fill('0000-0000-1')
      await button('Start').click()
      await expect(button('Dismiss')).toBeVisible()
      await keepToast()
      await expectClear(page, ['Close', 'Cancel', 'Start', 'Copy code'].map(button))
      await button('Dismiss').click()
      await expect(button('Dismiss')).toBeHidden()
      await expect(button('Start')).toBeVisible()
      await button('Cancel').click()
    })

    await test.step('the composer, and the bar in its place', async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await page.getByRole('link', { name: new RegExp(ben.username) }).click()
      await page.getByLabel('Message', { exact: true }).waitFor()
      await button('Conversation options').click()
      await page.getByRole('button', { name: /^Mute/ }).click()
      await expect(button('Dismiss')).toBeVisible()
      await keepToast()
      await expectClear(page, [page.getByLabel('Message', { exact: true }), button('Take a photo')])
      await button('Dismiss').click()
      await page.setViewportSize({ width: 390, height: 844 })
      await button('Conversation options').click()
      await button('Block').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click()
      await expect(button('Unblock')).toBeVisible()
      const refuse = { status: 503, json: { error: 'Busy.', code: 'unavailable', requestId: '' } }
      const state = '**/api/conversations/*/state'
      await page.route(state, (route) => route.fulfill(refuse))
      await button('Unblock').click()
      await expect(button('Dismiss')).toBeVisible()
      await keepToast()
      await expectClear(page, [button('Unblock'), page.getByText(/^You blocked/)])
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)

test(
  'a finger over a toast dismisses it to the right, and leaves to a locked calculator to the left',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page } = ada
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    const strokeOverToast = async (byX: number) => {
      await page.getByRole('button', { name: 'Conversation options' }).click()
      await page.getByRole('button', { name: /^(Mute|Unmute)/ }).click()
      const toast = page.getByRole('listitem').filter({ has: dismiss })
      await toast.waitFor()
      await strokeByTouch(page, { from: await middleOf(toast), byX })
    }
    await strokeOverToast(120)
    // The toast disappears before its own time is over.
    await expect(dismiss).toBeHidden({ timeout: 4000 })
    await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
    expect((await page.request.get('/api/conversations')).status()).toBe(200)

    await strokeOverToast(-120)
    await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
    await expect.poll(async () => (await page.request.get('/api/conversations')).status()).toBe(423)
    for (const { context } of [ada, ben]) await context.close()
  },
)
