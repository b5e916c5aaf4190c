import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openMember, pressKeys } from './person.ts'

/** All scripts that the page names, which is what the browser loads before the calculator shows. */
const firstScripts = async (page: Page) =>
  [...(await (await page.request.get('/')).text()).matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)].map(
    ([, path]) => path as string,
  )

/** Holds back every script beyond the first ones, until it is released. */
async function holdApp(page: Page): Promise<() => void> {
  const first = await firstScripts(page)
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/*.js', async (route) => {
    if (!first.includes(new URL(route.request().url()).pathname)) await released
    await route.fallback()
  })
  return release
}

test('the scripts of the first page are at most 90 kB, compressed as the gateway sends them', async ({
  page,
}) => {
  await page.goto('/')
  const paths = await firstScripts(page)
  const sizes: { encoding: string | undefined; bytes: number }[] = []
  for (const path of paths) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      get(new URL(path, page.url()), { headers: { 'accept-encoding': 'gzip' } }, resolve).on('error', reject),
    )
    answer.resume()
    const { 'content-encoding': encoding, 'content-length': length } = answer.headers
    sizes.push({ encoding, bytes: Number(length) })
  }
  // A file of less than a kilobyte is sent as it is.
  for (const { encoding, bytes } of sizes) expect(encoding ?? bytes < 1024).toBeTruthy()
  const sum = sizes.reduce((total, { bytes }) => total + bytes, 0)
  expect(sum).toBeGreaterThan(40_000)
  expect(sum).toBeLessThanOrEqual(90_000)
})

test('a number that is entered before the app has arrived is not shown, and unlocks when it is there', async ({
  browser,
}, { project }) => {
  const { page, context } = await openMember(browser, project.name, 'early', '1815')
  // The worker would answer from its cache.
  await page.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
  })
  const release = await holdApp(page)
  await page.goto('/')
  await pressKeys(page, '+1815=')
  await expect(page.getByText('••••')).toBeVisible()
  expect(await page.locator('body').innerText()).not.toMatch(/1815|1,815|password/i)
  release()
  await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
  await context.close()
})

test('a calculation that is begun before the app has arrived goes on in it', async ({ browser }, {
  project,
}) => {
  const { page, context } = await openMember(browser, project.name, 'early', '1815')
  await page.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
  })
  const release = await holdApp(page)
  await page.goto('/')
  await pressKeys(page, '12+3')
  const asked = page.waitForResponse('**/api/user')
  release()
  await asked
  await pressKeys(page, '=')
  await expect(page.getByRole('status', { name: 'Result' })).toHaveText('15')
  await context.close()
})
