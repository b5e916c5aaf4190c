import { expect, test } from '@playwright/test'
import { pressKeys } from './person.ts'
import { holdByTouch } from './touch.ts'

/** Words that would reveal the app. */
const tellTale = /chat|messag|messenger|conversation|secret|inbox|unlock|password/i

test.describe('a stranger who takes the phone and taps around', () => {
  test('LEGAL-08 LEGAL-09 LEGAL-10 LEGAL-11 LEGAL-12: shows the terms once per device', async ({ page }) => {
    await page.goto('/')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    expect(await dialog.innerText()).not.toMatch(tellTale)
    for (let time = 1; time <= 4; time += 1) await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await page.getByRole('button', { name: 'Privacy Policy' }).click()
    await expect(dialog.getByText('at least 18 years old')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Terms of Use' }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    await expect(dialog).toBeHidden()
    await page.reload()
    await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
    await expect(dialog).toBeHidden()
  })

  test('CALC-01 CALC-02 CALC-03 CALC-06 NAV-02: shows a calculator that works by touch and by keyboard', async ({
    page,
  }) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api')) asked.push(request.url())
    })
    await page.goto('/calculator')
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    await pressKeys(page, '0+')
    await page.keyboard.type('12.5*4')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status', { name: 'Result' })).toHaveText('50')
    await page.keyboard.type('1234')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('button', { name: 'Help & Support' })).toBeVisible()
    await page.getByRole('button', { name: 'About' }).click()
    expect(await page.locator('body').innerText()).not.toMatch(tellTale)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused()
    expect(await page.content()).not.toMatch(/messenger|conversation/i)
    await expect(page).toHaveTitle('Calculator')
    // Without a device marker the calculator sends no request.
    expect(asked).toEqual([])
  })

  test(
    'a finger repeats =, reuses a line of the tape, copies one by holding it, and clears the tape, which outlives a reload',
    { tag: '@phone' },
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const copied = () => page.evaluate(() => navigator.clipboard.readText())
      await page.goto('/')
      await page.getByRole('button', { name: 'Accept and Continue' }).tap()
      const result = page.getByRole('status', { name: 'Result' })
      const tapKeys = async (keys: string) => {
        for (const key of keys) await page.getByRole('button', { name: key, exact: true }).tap()
      }
      const line = (name: string) => page.getByRole('button', { name })

      await tapKeys('2+3===')
      await expect(result).toHaveText('11')
      await tapKeys('C100×')
      await expect(page.getByRole('button', { name: '×', pressed: true })).toBeVisible()
      await line('5 + 3 = 8').tap()
      await expect(page.getByText('= 800', { exact: true })).toBeVisible()

      const held = line('8 + 3 = 11')
      await holdByTouch(page, held, () => expect(held).toHaveAttribute('data-held'))
      await expect(page.getByText('Copied').first()).toBeVisible()
      expect(await copied()).toBe('11')
      await expect(result).toHaveText('8')

      await page.getByRole('button', { name: 'Clear history' }).tap()
      await expect(page.getByRole('region', { name: 'History' })).toBeHidden()
      await tapKeys('C1+1=')
      await page.reload()
      await expect(line('1 + 1 = 2')).toBeVisible()
    },
  )

  test('NAV-01 NAV-07 NAV-09 NAV-10 NAV-13 NAV-14: other addresses lead to sign-in and sign-up, or to nothing', async ({
    page,
  }) => {
    for (const address of ['/messaging', '/settings', '/conversation/1', '/admin']) {
      await page.goto(address)
      await expect(page).toHaveURL('/auth')
      await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
      await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeVisible()
    }
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
    await expect(page).toHaveTitle('Calculator')
    await page.getByRole('button', { name: 'Back to the calculator' }).click()
    await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
  })
})
