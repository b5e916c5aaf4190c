import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { keepsPictures } from './keeps-pictures.ts'

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

/** Waits until only endless animations move. During a transition, colours are mixed and positions are wrong. */
const atRest = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().iterations === Infinity,
      ),
  )

/** Returns axe's findings in the page, or in a part of it, once it is at rest; one text for each. */
export async function faultsOf(page: Page, part = 'html'): Promise<string[]> {
  await atRest(page)
  // Without frames of other origins, axe can judge the page in itself instead of in a second page.
  const { violations } = await new AxeBuilder({ page })
    .include(part)
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary = '' }) => `${html} ${failureSummary}`).join(' ')}`,
  )
}

/**
 * Checks a screen in every size and theme: no axe violation, nothing wider than the window. Keeps a picture of each on
 * request.
 */
export async function check(page: Page, screen: string, inLooks: readonly Look[] = looks): Promise<void> {
  for (const { name, size, colorScheme } of inLooks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    const moving = await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(done))
      return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length
    })
    expect.soft(moving, `${screen}, ${name}: transitions in spite of reduced motion`).toBe(0)
    await atRest(page)
    if (keepsPictures) {
      mkdirSync(`${folder}/${name}`, { recursive: true })
      await page.screenshot({ path: `${folder}/${name}/${screen}.png` })
    }
    const found = await faultsOf(page)
    expect.soft(found, `${screen}, ${name}`).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect.soft(width, `${screen}, ${name}: width of the page`).toBeLessThanOrEqual(size.width)
  }
  await page.setViewportSize(sizes.phone)
}
