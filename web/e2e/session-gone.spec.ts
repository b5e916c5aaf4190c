import { expect, test } from '@playwright/test'
import { openMember, unlockOnKeypad } from './person.ts'

test(
  'a session that ended elsewhere clears the screen and leads to the sign-in',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const kim = await openMember(browser, project.name, 'kim', '4711')
    const { page, context } = kim
    await unlockOnKeypad(kim)
    await page.evaluate(() => Object.assign(window, { before: true }))

    await context.clearCookies({ name: /sid$/ })
    // A request of the page itself may have led it away already.
    await page.evaluate(() => window.dispatchEvent(new Event('focus'))).catch(() => undefined)
    await expect(page).toHaveURL('/auth')
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    expect(await page.evaluate(() => 'before' in window)).toBe(false)

    await test.step('on this device the number leads to the sign-in, too', async () => {
      await page.goto('/')
      await page.getByRole('button', { name: '+', exact: true }).click()
      await expect(page.getByText('Enter Password', { exact: true })).toBeVisible()
      for (const digit of [...'4711=']) {
        await page.getByRole('button', { name: digit, exact: true }).click()
      }
      await expect(page).toHaveURL('/auth')
    })
    await context.close()
  },
)
