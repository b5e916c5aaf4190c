import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

const stopsAtMost = 40

/** Presses Tab until an element has the focus, and checks at each step that the focus is visible. */
export async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let stop = 1; stop <= stopsAtMost; stop += 1) {
    await page.keyboard.press(key)
    const hidden = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body) return null
      const { outlineStyle, outlineWidth } = getComputedStyle(focused)
      const isSeen = outlineStyle !== 'none' && outlineWidth !== '0px'
      return isSeen ? null : focused.outerHTML
    })
    expect(hidden, 'the element with the focus, where nothing shows it').toBeNull()
    if (await wanted.evaluate((element) => element === document.activeElement, null, { timeout: 30_000 }))
      return
  }
  throw new Error(`${stopsAtMost} times ${key} did not lead to ${wanted.toString()}`)
}

export async function activate(page: Page, wanted: Locator, key?: 'Shift+Tab'): Promise<void> {
  await tabTo(page, wanted, key)
  await page.keyboard.press('Enter')
}
