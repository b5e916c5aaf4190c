import { expect, test } from '@playwright/test'
import { openMember, password, pressKeys } from './person.ts'

test(
  'the keypad distinguishes right from wrong numbers, hints after the third silent hit, and clears the input',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const eve = await openMember(browser, project.name, 'eve', '4711')
    const { page } = eve

    await test.step('CALC-10 CALC-11 CALC-12 CALC-13 CALC-15: + at 0 asks for the number behind dots, and C goes back', async () => {
      await pressKeys(page, '+')
      await expect(page.getByText('Password Mode: Enter your numeric password').first()).toBeVisible()
      await expect(page.getByText('Enter Password', { exact: true })).toBeVisible()
      // The toast stays for 5 s and must cover no key.
      await page.getByRole('button', { name: '=', exact: true }).click({ trial: true, timeout: 4000 })
      await pressKeys(page, '4711')
      await expect(page.getByText('4711')).toBeHidden()
      await page.getByRole('button', { name: 'C', exact: true }).click()
      await expect(page.getByText('Enter Password', { exact: true })).toBeHidden()
    })

    await test.step('CALC-14: a wrong number is reported and cleared', async () => {
      await pressKeys(page, '+9999=')
      await expect(page.getByText('Invalid Password').first()).toBeVisible()
      await expect(page.getByText('Please try again').first()).toBeVisible()
      await page.getByRole('button', { name: 'C', exact: true }).click()
    })

    await test.step('STATE-11 STATE-12: the third right entry that was typed and left brings the hint', async () => {
      for (let entry = 1; entry <= 3; entry += 1) {
        const probed = page.waitForResponse('**/api/verify-numeric-password')
        await pressKeys(page, '4711')
        expect((await probed).status()).toBe(200)
        const hint = page.getByText('Hint: Press = to Unlock').first()
        await (entry === 3 ? expect(hint).toBeVisible() : expect(hint).toBeHidden())
        await page.getByRole('button', { name: 'C', exact: true }).click()
      }
    })

    await test.step('a silent hit unlocks nothing, and the screen does not show the digits', async () => {
      expect((await page.request.get('/api/conversations')).status()).toBe(423)
      expect(await page.locator('body').innerText()).not.toContain('4711')
    })

    await test.step('SET-23: after logout the calculator has no password mode, and signing in restores it', async () => {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Settings' }).click()
      await expect(page.getByText('Free Plan')).toBeVisible()
      await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'End other sessions' }).focus()
      // The card is clipped, so a ring around the row would not be visible.
      await expect(page.getByRole('button', { name: 'End other sessions' })).toHaveCSS(
        'outline-offset',
        '-3px',
      )
      await page.getByRole('button', { name: 'Logout' }).click()
      await expect(page).toHaveURL('/')
      expect((await page.request.get('/api/user')).status()).toBe(401)
      await expect.poll(() => page.evaluate(() => document.cookie)).not.toContain('v=')
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.reload()
      await pressKeys(page, '+4711=')
      await expect(page.getByText('Enter Password', { exact: true })).toBeHidden()
      expect(asked.filter((path) => path.startsWith('/api'))).toEqual([])
      await page.goto('/auth')
      await page.getByLabel('Username').first().fill(eve.username)
      await page.getByLabel('Password', { exact: true }).first().fill('wrong horse')
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByText('Login failed').first()).toBeVisible()
      await page.getByLabel('Password', { exact: true }).first().fill(password)
      // The button is below the toast of the failed attempt.
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
    })
    await eve.context.close()
  },
)
