import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'

export const folder = 'artifacts/screens'
export const sizes = {
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
  desktop: { width: 1440, height: 900 },
}
export const looks = [
  { name: 'phone-light', size: sizes.phone, colorScheme: 'light' },
  { name: 'phone-dark', size: sizes.phone, colorScheme: 'dark' },
  { name: 'narrow-light', size: sizes.narrow, colorScheme: 'light' },
  { name: 'desktop-light', size: sizes.desktop, colorScheme: 'light' },
  { name: 'desktop-dark', size: sizes.desktop, colorScheme: 'dark' },
] as const
type Look = (typeof looks)[number]

/** Checks a screen in every size and theme: no axe violation, nothing wider than the window; keeps a picture of each. */
export async function check(page: Page, screen: string, inLooks: readonly Look[] = looks): Promise<void> {
  for (const { name, size, colorScheme } of inLooks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    const moving = await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(done))
      return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length
    })
    expect.soft(moving, `${screen}, ${name}: transitions in spite of reduced motion`).toBe(0)
    await page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    )
    mkdirSync(`${folder}/${name}`, { recursive: true })
    await page.screenshot({ path: `${folder}/${name}/${screen}.png` })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html} ${failureSummary}`).join(' ')}`,
    )
    expect.soft(found, `${screen}, ${name}`).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, `${screen}, ${name}: width of the page`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(sizes.phone)
}
