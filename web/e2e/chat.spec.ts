import { expect, test } from '@playwright/test'
import { callApi, openPair, send } from './person.ts'
import type { Visitor } from './person.ts'

const log = ({ page }: Visitor) => page.getByRole('log')
const fromEnd = (visitor: Visitor) =>
  log(visitor).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)

/** Sends messages over the API, one after another. */
async function sendMany(visitor: Visitor, conversationId: string, from: number, to: number) {
  for (let number = from; number <= to; number += 1)
    await callApi(visitor, '/api/messages', {
      conversationId,
      clientMessageId: crypto.randomUUID(),
      messageType: 'text',
      content: `Line ${number}`,
    })
}

test(
  'a long conversation keeps the reader’s place, stays at its end, and says what is new',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const conversationId = ada.page.url().split('/').at(-1) as string
    await ada.page.setViewportSize({ width: 390, height: 844 })

    await test.step('the list stays at its end while messages arrive and while the keyboard takes half of the screen', async () => {
      await sendMany(ben, conversationId, 1, 60)
      await expect(log(ada).getByText('Line 60', { exact: true })).toBeInViewport()
      const size = ada.page.viewportSize() ?? { width: 390, height: 844 }
      await ada.page.setViewportSize({ ...size, height: 450 })
      await expect(log(ada).getByText('Line 60', { exact: true })).toBeInViewport()
      await ada.page.getByLabel('Message', { exact: true }).fill('a\nb\nc\nd\ne\nf')
      await expect(log(ada).getByText('Line 60', { exact: true })).toBeInViewport()
      await ada.page.getByLabel('Message', { exact: true }).fill('')
      await ada.page.setViewportSize(size)
    })

    await test.step('a hundred messages while scrolled up keep the reader’s place and are counted', async () => {
      await log(ada).evaluate((box) => box.scrollTo({ top: box.scrollHeight / 2 }))
      await expect.poll(() => fromEnd(ada)).toBeGreaterThan(200)
      const line = log(ada)
        .getByText(/^Line \d+$/)
        .first()
      const text = await line.innerText()
      const before = await log(ada).getByText(text, { exact: true }).boundingBox()
      await sendMany(ben, conversationId, 61, 160)
      await expect(ada.page.getByRole('button', { name: '100 new' })).toBeVisible()
      const after = await log(ada).getByText(text, { exact: true }).boundingBox()
      expect(after?.y).toBeCloseTo(before?.y ?? -1, 0)
      await ada.page.getByRole('button', { name: '100 new' }).click()
      await expect(log(ada).getByText('Line 160', { exact: true })).toBeInViewport()
      await expect(ada.page.getByRole('button', { name: /new$/ })).toBeHidden()
    })

    await test.step('only what is near the screen is in the page', async () => {
      expect(await log(ada).getByRole('article').count()).toBeLessThan(60)
    })

    await test.step('an own message is shown also to someone who had scrolled up', async () => {
      await log(ada).evaluate((box) => box.scrollTo({ top: 0 }))
      await expect.poll(() => fromEnd(ada)).toBeGreaterThan(200)
      await send(ada, 'Back at the end')
      await expect(log(ada).getByText('Back at the end')).toBeInViewport()
    })

    await test.step('someone who comes back sees a line above what is unread', async () => {
      await ada.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(ada.page.getByRole('heading', { name: 'Secure Messages' })).toBeFocused()
      await sendMany(ben, conversationId, 161, 162)
      await expect(ada.page.getByRole('link', { name: new RegExp(ben.username) })).toContainText('2 unread')
      await ada.page.getByRole('link', { name: new RegExp(ben.username) }).click()
      await expect(log(ada).getByText('Unread messages')).toBeInViewport()
      await expect(log(ada).getByText('Line 162', { exact: true })).toBeInViewport()
      await expect(ada.page.getByText('Today').first()).toBeVisible()
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)

test(
  'a message is copied and its links open safely',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await ada.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await send(ada, 'See https://example.com/a. Fine?')

    await test.step('a link opens a new window without access to this one', async () => {
      const link = log(ada).getByRole('link')
      await expect(link).toHaveAttribute('href', 'https://example.com/a')
      await expect(link).toHaveAttribute('target', '_blank')
      await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    })

    await test.step('a right click offers Copy', async () => {
      await log(ada)
        .getByRole('article')
        .click({ button: 'right', position: { x: 8, y: 8 } })
      await ada.page.getByRole('menuitem', { name: 'Copy' }).click()
      expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(
        'See https://example.com/a. Fine?',
      )
      await expect(ada.page.getByText('Copied to clipboard', { exact: true }).first()).toBeVisible()
    })

    await test.step('the keyboard reaches the message and shows its clock time', async () => {
      await log(ada).focus()
      await ada.page.keyboard.press('ArrowUp')
      await expect(log(ada).getByRole('article')).toBeFocused()
      await ada.page.keyboard.press('Enter')
      await expect(log(ada).getByRole('article')).toContainText(/\d{1,2}:\d{2}/)
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)
