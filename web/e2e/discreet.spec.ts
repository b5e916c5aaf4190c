import { expect, test } from '@playwright/test'
import { openMember, pressKeys, unlockOnKeypad } from './person.ts'

test(
  'in discreet mode the address stays / and no text reveals password mode',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const visitor = await openMember(browser, project.name, 'dis', '2718')
    const { page, pin } = visitor
    const list = page.getByRole('heading', { name: 'Secure Messages' })
    await unlockOnKeypad(visitor)
    await expect(page).toHaveURL('/messaging')

    await test.step('switched on in Settings, it hides the address at once', async () => {
      await page.getByRole('button', { name: 'Settings' }).click()
      const discreet = page.getByRole('switch', { name: 'Discreet mode' })
      await expect(discreet).toHaveAttribute('aria-checked', 'false')
      await discreet.click()
      await expect(discreet).toHaveAttribute('aria-checked', 'true')
      await expect(page).toHaveURL('/')
      await page.getByRole('button', { name: 'Back' }).click()
      await expect(list).toBeVisible()
      await expect(page).toHaveURL('/')
    })

    await test.step('losing the focus covers the page, also with a mouse', async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('blur')))
      await expect(list).toBeHidden()
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await expect(list).toBeVisible()
    })

    await test.step('a reload shows the calculator, and the number unlocks from an ordinary sum', async () => {
      const result = page.getByRole('status', { name: 'Result' })
      await page.reload()
      await expect(result).toHaveText('0')
      await expect.poll(async () => (await page.request.get('/api/conversations')).status()).toBe(423)
      await pressKeys(page, '+9')
      await expect(result).toHaveText('9')
      await pressKeys(page, '999')
      await expect(result).toHaveText('9,999')
      const answered = page.waitForResponse('**/api/verify-numeric-password')
      await pressKeys(page, '=')
      expect((await answered).status()).toBe(403)
      await expect(result).toHaveText('9,999')
      await expect(page.getByRole('region', { name: 'History' })).toBeHidden()
      expect(await page.locator('body').innerText()).not.toMatch(/password|invalid|•/i)
      await pressKeys(page, `C+${pin}=`)
      await expect(list).toBeVisible()
      await expect(page).toHaveURL('/')
    })

    await test.step('a deep link while locked leads to the calculator', async () => {
      await page.goto('/')
      await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
      await page.goto('/messaging')
      await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
      await expect(page).toHaveURL('/')
    })
    await visitor.context.close()
  },
)
