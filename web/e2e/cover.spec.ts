import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openMember, unlockOnKeypad } from './person.ts'

/** What the page hears when the person switches away or comes back; a headless browser never does so itself. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

const calculator = /^Calculator\s[C±%÷789×456−123+0.=\s]*$/

/** Text and accessibility tree are a calculator's. */
async function expectOnlyCalculator(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.body.innerText)).toMatch(calculator)
  await expect(page.locator('body')).toMatchAriaSnapshot('- img "Calculator"')
  expect((await page.locator('body').ariaSnapshot()).trim().split('\n')).toHaveLength(1)
}

test('a page that goes out of sight or is printed is a calculator, an open dialog included', async ({
  browser,
}, { project }) => {
  const visitor = await openMember(browser, project.name, 'cov', '2718')
  const { page } = visitor
  const blank = await page.screenshot()
  await unlockOnKeypad(visitor)
  await page.getByRole('button', { name: 'New conversation' }).click()
  await expect(page.getByLabel('User code')).toBeVisible()

  await test.step('hidden, it looks like the calculator to the last pixel, and comes back as it was', async () => {
    await setHidden(page, true)
    await expectOnlyCalculator(page)
    expect(blank.equals(await page.screenshot())).toBe(true)
    await setHidden(page, false)
    await expect(page.getByLabel('User code')).toBeFocused()
  })

  await test.step('on blur it is covered at once where a finger points, and not where a mouse does', async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    const isTouch = project.name === 'phone'
    if (isTouch) await expectOnlyCalculator(page)
    await expect(page.getByLabel('User code')).toBeVisible({ visible: !isTouch })
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page.getByLabel('User code')).toBeVisible()
  })

  await test.step('printed, it is one page with a calculator', async () => {
    const printed = await page.pdf()
    expect(printed.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(() => document.body.innerText)).toMatch(calculator)
    expect(await page.getByText('Secure Messages').isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
  })

  await visitor.context.close()
})
