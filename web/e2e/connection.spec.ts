import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openPair } from './person.ts'

const bar = (page: Page) => page.getByRole('status').getByText(/^(No connection\.|Connecting…)/)

/** Records every text that the connection bar shows from here on, with its time in milliseconds. */
const watchBar = (page: Page) =>
  page.evaluate(() => {
    const seen: { text: string; afterMs: number }[] = []
    const startedAt = performance.now()
    const look = () => {
      const text = [...document.querySelectorAll('[role=status]')]
        .map(({ textContent }) => textContent ?? '')
        .find((one) => /^(No connection\.|Connecting…)/.test(one))
      if (text !== undefined && seen.at(-1)?.text !== text)
        seen.push({ text, afterMs: performance.now() - startedAt })
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
    return Object.assign(window, { seen })
  })
const seenOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { text: string; afterMs: number }[] }).seen)

test(
  'a lost connection is reported after two seconds, not before, until it is back',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page, context } = ada
    await expect(bar(page)).toBeHidden()

    await test.step('without a network', async () => {
      await watchBar(page)
      await context.setOffline(true)
      await expect(bar(page)).toHaveText('No connection. Messages are sent when you are back.')
      expect((await seenOf(page))[0]?.afterMs).toBeGreaterThanOrEqual(2000)
      await ada.picture('no-connection')
      await context.setOffline(false)
      await expect(bar(page)).toBeHidden()
    })

    await test.step('with a gateway that answers and a socket that does not', async () => {
      let isRefused = true
      await page.routeWebSocket('**/ws/**', (socket) => {
        if (isRefused) void socket.close()
        else socket.connectToServer()
      })
      await page.reload()
      await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
      await expect(bar(page)).toHaveText('Connecting…')
      isRefused = false
      await expect(bar(page)).toBeHidden()
    })
    for (const { context: one } of [ada, ben]) await one.close()
  },
)
