import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** Marks the present page for `waitUntilReplaced`. */
export const markPage = (page: Page) => page.evaluate(() => Object.assign(window, { before: true }))

/** Waits until another page has replaced the marked one, which shows the calculator already before that. */
export const waitUntilReplaced = (page: Page): Promise<void> =>
  expect(async () => {
    expect(await page.evaluate(() => 'before' in window)).toBe(false)
  }).toPass({ timeout: 30_000 })
