import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { acceptTerms, openMember, pressKeys } from './person.ts'
import { startReleases } from './release-server.ts'
import { setHidden } from './set-hidden.ts'
import { strokeByTouch } from './touch.ts'

const tag = ['@phone', '@full']
const pin = '1815'
/** A worker that waits for the network takes 4000 ms. */
const atOnceMs = 3500

const entryOf = (page: Page) => page.locator('script[type=module]').getAttribute('src')
const messages = (page: Page) => page.getByRole('heading', { name: 'Secure Messages' })
const result = (page: Page) => page.getByRole('status', { name: 'Result' })

/** Returns the number of files that the worker stores for the app which replaces the first page. */
const keptMore = (page: Page) =>
  page.evaluate(async () => {
    const name = (await caches.keys()).find((key) => key.endsWith('-2'))
    return name === undefined ? 0 : (await (await caches.open(name)).keys()).length
  })

/** Opens a member on the calculator of the first release, which the worker has stored. */
async function openBehind(browser: Browser, project: string, upstream: string) {
  const releases = await startReleases(upstream)
  const member = await openMember(browser, project, 'released', pin)
  const { cookies } = await member.context.storageState()
  await member.context.close()
  const context = await browser.newContext({ baseURL: releases.url, storageState: { cookies, origins: [] } })
  const page = await context.newPage()
  await page.goto('/')
  await acceptTerms({ ...member, page })
  await expect.poll(() => keptMore(page)).toBeGreaterThan(0)
  // The page looks for a newer worker when it is loaded, and must not find the release of the test by that.
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
  const close = async () => {
    await context.close()
    releases.close()
  }
  return { releases, context, page, close }
}

test(
  'a release under an open calculator: an unused page replaces itself, and the number opens',
  { tag },
  async ({ browser, baseURL }, { project }) => {
    const { releases, page, close } = await openBehind(browser, project.name, baseURL as string)
    releases.release()
    await setHidden(page, true)
    await setHidden(page, false)
    await expect.poll(() => entryOf(page)).toContain('-r1')
    await pressKeys(page, `+${pin}=`)
    await expect(messages(page)).toBeVisible()
    await close()
  },
)

test(
  'a release under an open calculator: a number that is entered at once opens, though the files are gone',
  { tag },
  async ({ browser, baseURL }, { project }) => {
    const { releases, page, close } = await openBehind(browser, project.name, baseURL as string)
    releases.release()
    await pressKeys(page, `+${pin}=`)
    await expect(messages(page)).toBeVisible()
    expect(await entryOf(page)).toContain('-r1')
    await close()
  },
)

test(
  'after a month and a release the kept calculator opens at once, and so does the number',
  { tag },
  async ({ browser, baseURL }, { project }) => {
    const { releases, context, page, close } = await openBehind(browser, project.name, baseURL as string)
    await page.close()
    releases.release()
    const next = await context.newPage()
    await next.goto('/')
    expect(await entryOf(next)).not.toContain('-r1')
    await pressKeys(next, `+${pin}=`)
    await expect(messages(next)).toBeVisible()
    expect(await entryOf(next)).toContain('-r1')
    await close()
  },
)

test(
  'with a server that never answers the kept calculator opens at once and answers keys, also after a flight',
  { tag },
  async ({ browser, baseURL }, { project }) => {
    const { releases, context, page, close } = await openBehind(browser, project.name, baseURL as string)
    await pressKeys(page, `+${pin}=`)
    await expect(messages(page)).toBeVisible()
    releases.fallSilent()
    /** Returns how long the worker took for the page. */
    const pageMs = (at: Page) =>
      at.evaluate(
        () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).responseStart,
      )
    await test.step('a flight', async () => {
      const replaced = page.waitForEvent('domcontentloaded')
      await strokeByTouch(page, { from: { x: 120, y: 400 }, byX: 160 })
      await replaced
      await pressKeys(page, '7×6=')
      await expect(result(page)).toHaveText('42')
      expect(await pageMs(page)).toBeLessThan(atOnceMs)
    })
    await test.step('a cold start', async () => {
      await page.close()
      const next = await context.newPage()
      await next.goto('/')
      await pressKeys(next, '7×6=')
      await expect(result(next)).toHaveText('42')
      expect(await pageMs(next)).toBeLessThan(atOnceMs)
    })
    await close()
  },
)
