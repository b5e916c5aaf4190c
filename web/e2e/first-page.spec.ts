import { expect, test } from '@playwright/test'
import type { Browser, Page, Response } from '@playwright/test'
import { openMember, openPair, pressKeys, send } from './person.ts'
import { sentSize } from './sent-size.ts'

/** Returns all scripts that the page names. The browser loads them before the calculator is shown. */
const firstScripts = async (page: Page) =>
  [...(await (await page.request.get('/')).text()).matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)].map(
    ([, path]) => path as string,
  )

/** Holds back every script beyond the first ones until it is released. */
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

/** Opens the calculator of a member before the rest of the app has arrived. */
async function openWithoutApp(browser: Browser, projectName: string) {
  const { page, context } = await openMember(browser, projectName, 'early', '1815')
  const release = await holdApp(page)
  await page.goto('/')
  return { page, context, release }
}

test(
  'the scripts of the first page are at most 90 kB, compressed as the gateway sends them',
  { tag: '@phone' },
  async ({ page }) => {
    await page.goto('/')
    const paths = await firstScripts(page)
    const sizes = await Promise.all(paths.map((path) => sentSize(new URL(path, page.url()))))
    // A file of less than a kilobyte is sent uncompressed.
    for (const { encoding, bytes } of sizes) expect(encoding ?? bytes < 1024).toBeTruthy()
    const sum = sizes.reduce((total, { bytes }) => total + bytes, 0)
    expect(sum).toBeGreaterThan(40_000)
    expect(sum).toBeLessThanOrEqual(90_000)
  },
)

/** Returns the place and the look of each key. */
const keysOf = (page: Page) =>
  page.locator('#root [data-calculator] [role=group] button').evaluateAll((keys) =>
    keys.map((key) => {
      const { x, y, width, height } = key.getBoundingClientRect()
      const { color, backgroundColor } = getComputedStyle(key)
      return { name: key.textContent, x, y, width, height, color, backgroundColor }
    }),
  )

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `the page shows the ${colorScheme} calculator before a script runs, and its keys stay where they are`,
    { tag: '@full' },
    async ({ browser }) => {
      const open = async (javaScriptEnabled: boolean) => {
        const context = await browser.newContext({ javaScriptEnabled, colorScheme })
        const page = await context.newPage()
        await page.goto('/')
        return { context, page }
      }
      const still = await open(false)
      const face = await keysOf(still.page)
      expect(face.map(({ name }) => name).join('')).toBe('C±%÷789×456−123+0.=')
      await expect(still.page.locator('#root output')).toHaveText('0')
      expect(await still.page.locator('#root :is([style], style, script)').count()).toBe(0)
      const live = await open(true)
      await live.page.getByRole('button', { name: 'Accept and Continue' }).click()
      await expect(live.page.getByRole('button', { name: '=', exact: true })).toBeVisible()
      expect(await keysOf(live.page)).toEqual(face)
      await Promise.all([still.context.close(), live.context.close()])
    },
  )
}

test('a chosen theme is there before the first script of the app', { tag: '@full' }, async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('calc.p', JSON.stringify({ theme: 'dark' })))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
})

/** The chat's script before text was sealed, plus the allowance for sealing and for the access to media. */
const chatBudget = 15_324 + 5_000 + 1_000

test(
  'the script of the chat is at most 5 kB larger than before sealing, and 1 kB for the way to media, compressed as the gateway sends it',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const { page, context, pin } = await openMember(browser, project.name, 'sized', '1815')
    const isChat = async (response: Response) =>
      /\/assets\/d-[\w-]+\.js$/.test(response.url()) && (await response.text()).includes('Type your message')
    const [chat] = await Promise.all([page.waitForResponse(isChat), pressKeys(page, `+${pin}=`)])
    const { encoding, bytes } = await sentSize(new URL(chat.url()))
    expect(encoding).toBe('gzip')
    expect(bytes).toBeLessThanOrEqual(chatBudget)
    await context.close()
  },
)

test(
  'a phone with an empty cache sends at most 40 requests until the list is there, and at most 8 more until a chat is',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    await send(ada, 'Counted')
    await expect(ada.page.getByRole('log').getByText('sent')).toBeVisible()
    const { isMobile, hasTouch, viewport } = project.use
    const storageState = await ada.context.storageState()
    const context = await browser.newContext({
      ...{
        storageState,
        isMobile: isMobile ?? false,
        hasTouch: hasTouch ?? false,
        viewport: viewport ?? null,
      },
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.goto('/')
    await pressKeys(page, `+${ada.pin}=`)
    const row = page.getByRole('link', { name: new RegExp(ben.username) })
    await expect(row).toContainText('Counted')
    await page.waitForLoadState('networkidle')
    expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(40)
    sent.length = 0
    await row.click()
    await expect(page.getByRole('log').getByText('Counted')).toBeVisible()
    await expect(page.getByText(/^Daily message limit reached/)).toBeVisible()
    expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(8)
    await Promise.all([ada, ben, { context }].map((one) => one.context.close()))
  },
)

/** Scripts and styles together. */
const pickerBudget = 115_000

test(
  'the upload widget is loaded when it is opened, not kept with the calculator, and at most 115 kB, compressed',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [{ page, context }] = await openPair(browser, project.name)
    // The microphone is the last part of the chat to be loaded.
    await expect(page.getByRole('button', { name: 'Record a voice message' })).toBeVisible()
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await expect(page.getByRole('button', { name: 'Add media' })).toBeVisible()
    const loaded = new Set<string>()
    page.on('response', (response) => {
      if (/\/assets\/.*\.(?:js|css)$/.test(response.url())) loaded.add(response.url())
    })
    await page.getByRole('button', { name: 'Add media' }).click()
    await expect(page.getByRole('button', { name: 'browse' })).toBeVisible()
    const sizes = await Promise.all([...loaded].map((url) => sentSize(new URL(url))))
    const sum = sizes.reduce((total, { bytes }) => total + bytes, 0)
    expect(sum).toBeGreaterThan(80_000)
    expect(sum).toBeLessThanOrEqual(pickerBudget)
    const kept = await (await context.request.get('/sw.js')).text()
    expect([...loaded].filter((url) => kept.includes(new URL(url).pathname))).toEqual([])
    await context.close()
  },
)

test.describe('before the app has arrived', () => {
  // A worker would answer from its cache.
  test.use({ serviceWorkers: 'block' })

  test(
    'a number that is entered before the app has arrived is not shown, and unlocks when it is there',
    { tag: ['@full', '@phone'] },
    async ({ browser }, { project }) => {
      const { page, context, release } = await openWithoutApp(browser, project.name)
      await pressKeys(page, '+1815=')
      await expect(page.getByText('••••')).toBeVisible()
      expect(await page.locator('body').innerText()).not.toMatch(/1815|1,815|password/i)
      release()
      await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
      await context.close()
    },
  )

  test(
    'a calculation that is begun before the app has arrived goes on in it',
    { tag: ['@full', '@phone'] },
    async ({ browser }, { project }) => {
      const { page, context, release } = await openWithoutApp(browser, project.name)
      await pressKeys(page, '12+3')
      const asked = page.waitForResponse('**/api/user')
      release()
      await asked
      await pressKeys(page, '=')
      await expect(page.getByRole('status', { name: 'Result' })).toHaveText('15')
      await context.close()
    },
  )
})
