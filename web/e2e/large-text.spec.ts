import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openPair, openVisitor, send } from './person.ts'

/** Sets the browser's default font to twice its usual size. */
async function enlargeText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
}

/** Returns the texts and controls that reach beyond the window's sides. */
const stickingOut = (page: Page) =>
  page.locator('body *:visible').evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (left < -1 || right > window.innerWidth + 1)
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )

const sizes = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
]
async function expectToFit(page: Page, screen: string): Promise<void> {
  await expect(page.locator('html')).toHaveCSS('font-size', '32px')
  for (const size of sizes) {
    await page.setViewportSize(size)
    const at = `${screen} at ${size.width} px`
    expect(await stickingOut(page), at).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), at).toBe(size.width)
  }
}

/** Returns where a field or a button is. */
const boxOf = async (page: Page, role: 'button' | 'textbox', name: string) =>
  (await page.getByRole(role, { name, exact: true }).boundingBox()) as {
    x: number
    y: number
    width: number
    height: number
  }

test(
  'with text of twice the size, the calculator keeps its last row, and the sign-in fits',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const { page, context } = await openVisitor(browser, project.name, 'large', '0000')
    await page.goto('/')
    await enlargeText(page)
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    await page.keyboard.type('12.5*4=7+3')
    for (const size of sizes) {
      await page.setViewportSize(size)
      for (const key of ['0', '.', '=']) {
        const { y, height } = await boxOf(page, 'button', key)
        expect(y + height, `the key ${key} at ${size.width} px`).toBeLessThanOrEqual(size.height)
      }
    }
    await expectToFit(page, 'the calculator')
    await page.goto('/auth')
    for (const tab of ['Sign In', 'Sign Up']) {
      await page.getByRole('tab', { name: tab }).click()
      await expectToFit(page, tab)
    }
    await context.close()
  },
)

test(
  'with text of twice the size, the message has at least 160 px and stays below the card of the limit, and list, chat and settings fit',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page } = ada
    const measure = async () => {
      for (const size of sizes) {
        await page.setViewportSize(size)
        const field = await boxOf(page, 'textbox', 'Message')
        expect(field.width, `the field at ${size.width} px`).toBeGreaterThanOrEqual(160)
        const camera = await boxOf(page, 'button', 'Take a photo')
        const isBelow = camera.y >= field.y + field.height
        expect(isBelow, `the media buttons are below at ${size.width} px`).toBe(size.width === 320)
      }
    }
    await expect(page.getByRole('button', { name: 'Record a voice message' })).toBeVisible()
    await measure()
    await enlargeText(page)
    await measure()
    await page.getByLabel('Message', { exact: true }).fill(`https://example.com/${'a/'.repeat(80)}`)
    await expectToFit(page, 'the chat with a long link')
    await send(ada, 'A first message')
    await expect(page.getByText(/^Daily message limit reached/)).toBeVisible()
    for (const size of sizes) {
      await page.setViewportSize(size)
      const parts = [boxOf(page, 'textbox', 'Message'), boxOf(page, 'button', 'Take a photo')]
      for (const { y, height } of await Promise.all(parts))
        expect(y + height, `below the card at ${size.width} px`).toBeLessThanOrEqual(size.height)
    }
    await enlargeText(ben.page)
    const row = ben.page.getByRole('link', { name: new RegExp(ada.username) })
    await expect(row).toContainText('A first message')
    await expectToFit(ben.page, 'the list')
    await ben.page.goto('/settings')
    await expect(ben.page.getByText('Your unique code')).toBeVisible()
    await expectToFit(ben.page, 'the settings')
    for (const { context } of [ada, ben]) await context.close()
  },
)
