import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { setHidden } from './set-hidden.ts'
import { openMember, unlockOnKeypad } from './person.ts'

const calculator = /^Calculator\s[C±%÷789×456−123+0.=\s]*$/

/** Expects that text and accessibility tree show only a calculator. */
async function expectOnlyCalculator(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.body.innerText)).toMatch(calculator)
  await expect(page.locator('body')).toMatchAriaSnapshot('- img "Calculator"')
  expect((await page.locator('body').ariaSnapshot()).trim().split('\n')).toHaveLength(1)
}

test('a page that is hidden or printed shows a calculator, also over an open dialog', async ({ browser }, {
  project,
}) => {
  const visitor = await openMember(browser, project.name, 'cov', '2718')
  const { page } = visitor
  const blank = await page.screenshot()
  await unlockOnKeypad(visitor)
  await page.getByRole('button', { name: 'New conversation' }).click()
  await expect(page.getByLabel('User code')).toBeVisible()

  await test.step('hidden, it looks exactly like the calculator, and returns unchanged', async () => {
    await setHidden(page, true)
    await expectOnlyCalculator(page)
    expect(blank.equals(await page.screenshot())).toBe(true)
    await setHidden(page, false)
    await expect(page.getByLabel('User code')).toBeFocused()
  })

  await test.step('on blur it is covered at once on a touch device, but not with a mouse', async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    const isTouch = project.use.hasTouch === true
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
    await expect(page.getByText('Secure Messages').filter({ visible: true })).toHaveCount(0)
    await page.emulateMedia({ media: null })
  })

  await visitor.context.close()
})
