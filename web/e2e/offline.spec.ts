import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { tellTales } from '../test/tell-tale.ts'
import { openPair, pressKeys, send, unlockOnKeypad } from './person.ts'
import { waitUntilKept } from './stored-entries.ts'
import { strokeByTouch } from './touch.ts'

const calculator = (page: Page) => page.getByRole('button', { name: '=', exact: true })

/** Waits until a worker that has cached the calculator controls the page. */
const isKept = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
    return navigator.serviceWorker.controller !== null
  })

/** Swipes by finger, and waits for the next page. */
async function flee(page: Page): Promise<void> {
  // The calculator is shown before the page is replaced. The replacement would abort a reload in between.
  const replaced = page.waitForEvent('domcontentloaded')
  await strokeByTouch(page, { from: { x: 120, y: 400 }, byX: 160 })
  await replaced
}

test(
  'without a network the calculator opens, everything behind it stays closed until the lock is sent, and the message arrives once',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page, context } = ada
    const addresses: string[] = []
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    await expect.poll(() => isKept(page)).toBe(true)
    const chat = page.url()

    await test.step('offline, a message is written, and leaving shows the calculator, also after a reload', async () => {
      await context.setOffline(true)
      await send(ada, 'Written in a tunnel')
      await expect(page.getByRole('log').getByText('Written in a tunnel')).toBeVisible()
      await waitUntilKept(page)
      await flee(page)
      await expect(page).toHaveURL('/')
      await expect(calculator(page)).toBeVisible()
      await page.reload()
      await expect(calculator(page)).toBeVisible()
      await page.goto(chat)
      await expect(page).toHaveURL('/')
      await expect(calculator(page)).toBeVisible()
      await ada.picture('offline')
    })

    await test.step('offline, the number unlocks nothing: a toast reports the connection, and the entry stays', async () => {
      await pressKeys(page, `+${ada.pin}=`)
      await expect(page.getByText('No connection').first()).toBeVisible()
      await expect(page.getByText('Please try again').first()).toBeVisible()
      await expect(page.getByText('4 digits')).toBeAttached()
      await ada.picture('offline-entry')
    })

    await test.step('the lock reaches the server when the network is back, before any other request', async () => {
      expect((await page.request.get('/api/conversations')).status()).toBe(200)
      const calls: string[] = []
      page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
      const locked = page.waitForResponse('**/api/lock')
      await context.setOffline(false)
      expect((await locked).status()).toBe(200)
      expect(calls.filter((call) => call !== 'GET /api/csrf-token')[0]).toBe('POST /api/lock')
      expect((await page.request.get('/api/conversations')).status()).toBe(423)
    })

    await test.step('online, the address of the chat opens only after the number', async () => {
      await page.goto(chat)
      await expect(page).toHaveURL('/')
      await expect(calculator(page)).toBeVisible()
    })

    await test.step('after the number the message is sent once', async () => {
      await unlockOnKeypad(ada)
      await expect(ben.page.getByText('Written in a tunnel')).toBeVisible()
      await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
      await expect(ben.page.getByRole('log').getByText('Written in a tunnel')).toBeVisible()
      await ben.page.reload()
      await expect(ben.page.getByRole('log').getByText('Written in a tunnel')).toHaveCount(1)
    })
    expect(addresses.filter((address) => !address.startsWith('http'))).toEqual([])
    await Promise.all([context.close(), ben.context.close()])
  },
)

test(
  'the worker caches only the calculator: neutral names, no other chunk, no answer of the API',
  { tag: '@phone' },
  async ({ page }) => {
    await page.goto('/')
    await expect.poll(() => isKept(page)).toBe(true)
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const paths: string[] = []
      for (const name of names) {
        for (const request of await (await caches.open(name)).keys())
          paths.push(new URL(request.url).pathname)
      }
      return { names, paths }
    })
    expect(kept.names).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/)])
    // `d` is the prefix of the chunks behind the lock.
    const harmless =
      /^\/(?:assets\/[abcr]-[\w-]+\.(?:js|css)|icon[\w-]*\.(?:png|svg)|manifest\.webmanifest|(?:early|theme)\.js)?$/
    for (const path of kept.paths) expect(path).toMatch(harmless)
    const behind: string[] = []
    page.on('request', (request) => behind.push(new URL(request.url()).pathname))
    await page.goto('/auth')
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    const inner = behind.filter((path) => path.startsWith('/assets/') && !kept.paths.includes(path))
    expect(inner.length).toBeGreaterThan(0)
    const worker = await page.request.get('/sw.js')
    expect(worker.headers()['cache-control']).toBe('no-cache')
    expect(worker.headers()['content-type']).toContain('javascript')
    expect(tellTales(await worker.text())).toEqual([])
    expect(await worker.text()).not.toMatch(/secret|lock|password/i)
  },
)

test(
  'a new release is cached at the next load, beside the one whose pages may still be open',
  { tag: '@desktop' },
  async ({ page, baseURL }) => {
    let released: string | undefined
    const front = createServer((request, response) => {
      void fetch(new URL(request.url ?? '/', baseURL)).then(async (answer) => {
        const text = await answer.text()
        const next = text.replace(/release = '\w+'/, `release = '${released}'`)
        response.setHeader('content-type', answer.headers.get('content-type') ?? '')
        response.setHeader('cache-control', answer.headers.get('cache-control') ?? '')
        response.end(released && request.url === '/sw.js' ? next : text)
      })
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const names = () => page.evaluate(() => caches.keys())
    await page.goto(`http://127.0.0.1:${(front.address() as AddressInfo).port}/`)
    await expect.poll(() => isKept(page)).toBe(true)
    const [first] = await names()
    released = '0123456789ab'
    await page.reload()
    await expect.poll(names).toEqual([first, '0123456789ab'])
    released = 'ba9876543210'
    await page.reload()
    await expect.poll(names).toEqual(['0123456789ab', 'ba9876543210'])
    front.closeAllConnections()
    front.close()
    await page.reload()
    await expect(calculator(page)).toBeVisible()
  },
)
