import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { callApi, openPair } from './person.ts'
import type { Visitor } from './person.ts'
import { strokeByTouch } from './touch.ts'

const readBefore = 20

const together = 10

/** Sends messages over the API: the first ones, which the test looks for, and the last one in their order. */
async function sendMany({ context }: Visitor, conversationId: string, count: number) {
  const { csrfToken } = (await (await context.request.get('/api/csrf-token')).json()) as { csrfToken: string }
  const headers = {
    origin: new URL((await context.request.get('/')).url()).origin,
    'x-csrf-token': csrfToken,
  }
  const sendOne = async (number: number) => {
    const data = { conversationId, messageType: 'text', content: `Line ${number}` }
    const answer = await context.request.post('/api/messages', { headers, data })
    expect(answer.ok(), `${answer.status()}`).toBe(true)
  }
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  for (const number of numbers.slice(0, readBefore + 50)) await sendOne(number)
  for (let at = readBefore + 50; at < count - 1; at += together)
    await Promise.all(numbers.slice(at, Math.min(at + together, count - 1)).map(sendOne))
  await sendOne(count)
}

/** Lets only the first page of messages through until it is released. */
async function holdLaterPages(page: Page) {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const pages: string[] = []
  await page.route('**/messages?*', async (route) => {
    pages.push(new URL(route.request().url()).search)
    if (pages.length > 1) await released
    await route.fallback()
  })
  return { pages, release }
}

/** Returns the number of the last line on the screen. */
const lastShown = (page: Page) =>
  page.getByRole('log').evaluate((log) => {
    const { bottom } = log.getBoundingClientRect()
    const ends = [...log.querySelectorAll('[data-seq]')]
    const shown = ends.filter((end) => end.getBoundingClientRect().top < bottom)
    return Math.max(...shown.map((end) => Number(end.getAttribute('data-seq'))))
  })

async function unreadOf({ context }: Visitor): Promise<number | undefined> {
  const [row] = (await (await context.request.get('/api/conversations')).json()) as { unreadCount: number }[]
  return row?.unreadCount
}

for (const [count, tag] of [
  [60, ['@phone']],
  [1200, ['@phone', '@full']],
] as const)
  test(
    `a chat with ${count} unread messages opens at the first one after one page, and what was shown counts as read`,
    { tag: [...tag] },
    async ({ browser }, { project }) => {
      test.setTimeout(300_000)
      const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
      const conversationId = ada.page.url().split('/').at(-1) as string
      const all = readBefore + count
      await sendMany(ada, conversationId, all)
      await callApi(ben, `/api/conversations/${conversationId}/read`, { seq: readBefore })
      const { page } = ben
      const log = page.getByRole('log')
      const row = page.getByRole('link', { name: new RegExp(ada.username) })
      const line = (number: number) => log.getByText(`Line ${number}`, { exact: true })
      const placeOf = async (number: number) => (await line(number).boundingBox())?.y ?? -1
      const { pages, release } = await holdLaterPages(page)

      await test.step('one page shows the first unread message below a line', async () => {
        await row.click()
        await expect(log.getByText('Unread messages')).toBeInViewport()
        await expect(line(readBefore + 1)).toBeInViewport()
        await expect.poll(() => pages.length).toBe(2)
        expect(pages[0]).toBe(`?after=${readBefore - 10}&limit=50`)
      })

      await test.step('it stays where it is while the rest arrives, and the button counts what is below', async () => {
        const before = await placeOf(readBefore + 1)
        release()
        await expect(page.getByRole('button', { name: /^\d+ new$/ })).toBeVisible()
        const left = all - (await lastShown(page))
        await expect(page.getByRole('button', { name: `${left} new` })).toBeVisible()
        expect(await placeOf(readBefore + 1)).toBeCloseTo(before, 0)
        await ben.picture('unread')
      })

      await test.step('one who leaves has read what was shown', async () => {
        const left = all - (await lastShown(page))
        expect(left).toBeGreaterThan(count / 2)
        expect(left).toBeLessThan(count)
        await page.getByRole('button', { name: 'Back to Messages' }).click()
        await expect(row).toContainText('unread')
        await expect.poll(() => unreadOf(ben)).toBe(left)
      })

      await test.step('one who comes back goes on there, and scrolling reads on', async () => {
        const first = all - ((await unreadOf(ben)) ?? 0) + 1
        await row.click()
        await expect(line(first)).toBeInViewport()
        await strokeByTouch(page, { from: { x: 195, y: 650 }, byY: -500 })
        await expect(line(first)).not.toBeInViewport()
        // The list may go on moving after the finger has left it.
        await expect.poll(async () => all - (await lastShown(page)) - ((await unreadOf(ben)) ?? 0)).toBe(0)
      })

      await test.step('the button leads to the end, which stays on the screen', async () => {
        await page.getByRole('button', { name: /^\d+ new$/ }).click()
        await expect(line(all)).toBeInViewport()
        await expect(page.getByRole('button', { name: /new$/ })).toBeHidden()
        await expect.poll(() => unreadOf(ben)).toBe(0)
        await callApi(ada, '/api/messages', { conversationId, messageType: 'text', content: 'The last' })
        await expect(log.getByText('The last')).toBeInViewport()
        await expect.poll(() => unreadOf(ben)).toBe(0)
      })
      for (const { context } of [ada, ben]) await context.close()
    },
  )
