import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { acceptTerms, callApi, fillSignUpForm, openVisitor, password, pressKeys, readCode } from './person.ts'
import type { Visitor } from './person.ts'

const createAccount = (page: Page) => page.getByRole('button', { name: 'Create Account' }).click()

const practiceSizes = [
  { width: 320, height: 568 },
  { width: 844, height: 390 },
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** Expects that the practice card covers neither the menu, the display nor the keys, and that no toast lies over it. */
async function expectCardApart(page: Page): Promise<void> {
  const others = {
    menu: page.getByRole('button', { name: 'Menu' }),
    caption: page.getByText('Enter Password', { exact: true }),
    display: page.getByRole('status', { name: 'Entry' }),
    keys: page.getByRole('group', { name: 'Keypad' }),
  }
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  for (const size of practiceSizes) {
    await page.setViewportSize(size)
    const card = await boxOf(page.getByRole('complementary', { name: 'Practice' }))
    for (const [name, other] of Object.entries(others)) {
      const box = await boxOf(other)
      const isApart =
        box.x >= card.x + card.width ||
        card.x >= box.x + box.width ||
        box.y >= card.y + card.height ||
        card.y >= box.y + box.height
      expect(isApart, `${name} at ${size.width} × ${size.height}`).toBe(true)
    }
  }
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  return box
}

async function openFilledForm(visitor: Visitor): Promise<void> {
  await visitor.page.goto('/auth')
  await fillSignUpForm(visitor)
}

test('a person goes back from the phone step, loses nothing, and signs up with the first code, filled in at once', async ({
  browser,
}, { project }) => {
  const visitor = await openVisitor(browser, project.name, 'kay', '1815')
  const { page, username, phone } = visitor
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await openFilledForm(visitor)
  await expect(page.getByLabel('Phone Number')).toHaveValue(/^\+1 555 \d{3} \d{4}$/)

  await test.step('a fault is shown at its field, which gets the focus', async () => {
    await page.getByLabel('Confirm Password', { exact: true }).fill('another horse')
    await createAccount(page)
    await expect(page.getByLabel('Confirm Password', { exact: true })).toBeFocused()
    await expect(page.getByLabel('Confirm Password', { exact: true })).toHaveAccessibleDescription(
      "Passwords don't match",
    )
    await page.getByLabel('Confirm Password', { exact: true }).fill(password)
  })

  await test.step('PHONE-02: the step names the number', async () => {
    await createAccount(page)
    await expect(page.getByText(/We sent a 6-digit code to \+1 555 \d{3} \d{4}/)).toBeVisible()
    await expect(page.getByLabel('Digit 1')).toBeFocused()
    await visitor.picture('phone-step')
  })
  const code = await readCode(phone)

  await test.step('Back keeps the form, and the code that was sent still works', async () => {
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(page.getByLabel('Full Name')).toHaveValue(`Person ${username}`)
    await expect(page.getByLabel('Confirm Password', { exact: true })).toHaveValue(password)
    await createAccount(page)
    await expect(page.getByText('The code we sent still works.')).toBeVisible()
    expect(asked.filter((path) => path === '/api/phone/request-code')).toHaveLength(1)
  })

  await test.step('a wrong code is reported under the boxes', async () => {
    await page.getByLabel('Digit 1').fill(code === '000000' ? '111111' : '000000')
    await expect(page.getByRole('button', { name: 'Verify Code' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Digit 1')).toHaveAccessibleDescription(
      'Please check the code and try again.',
    )
    await expect(page.getByLabel('Digit 1')).toBeFocused()
  })

  await test.step('PHONE-04 PHONE-14: a code filled into the first box fills all six, and makes the account', async () => {
    await page.getByLabel('Digit 1').fill(code)
    await expect(page.getByLabel('Digit 6')).toHaveValue(code.at(-1) as string)
    await expect(page.getByLabel('Digit 1')).toHaveValue(code.charAt(0))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
    expect(await (await page.request.get('/api/user')).json()).toMatchObject({
      username,
      isPhoneVerified: true,
    })
    await visitor.picture('set-up')
  })

  await test.step('SET-08: the number is set by touch on our keys, or by keyboard where there is no touch', async () => {
    const enter = async () => {
      if (project.use.hasTouch === true)
        for (const key of visitor.pin)
          await page.getByRole('group', { name: 'Keypad' }).getByRole('button', { name: key }).tap()
      else await page.keyboard.type(visitor.pin)
    }
    await page.getByLabel('Security Password', { exact: true }).focus()
    await enter()
    await page.getByLabel('Confirm Security Password').focus()
    await enter()
    await visitor.picture('set-up-typed')
    await page.getByRole('button', { name: 'Set Password & Continue' }).click()
    await expect(page.getByRole('heading', { name: 'Password Set Successfully!' })).toBeVisible()
  })

  await test.step('SET-09: the practice guides through the first unlock', async () => {
    await page.getByRole('button', { name: 'Practice Now' }).click()
    await acceptTerms(visitor)
    await expect(page.getByText('Press + while the display shows 0.')).toBeVisible()
    await visitor.picture('practice')
    await pressKeys(page, '+')
    await expect(page.getByText('Type your number.')).toBeVisible()
    await expect(page.getByText('Password Mode: Enter your numeric password')).toBeVisible()
    await expectCardApart(page)
    await pressKeys(page, visitor.pin)
    await expect(page.getByText('Press =.')).toBeVisible()
    await pressKeys(page, '=')
    await expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
  })
  await visitor.context.close()
})

test(
  'a code that the server refuses is not called sent, and the wait shown is the one of the server',
  { tag: '@full' },
  async ({ browser }, { project }) => {
    const visitor = await openVisitor(browser, project.name, 'lou', '1815')
    const { page, phone } = visitor
    for (let time = 1; time <= 5; time += 1) {
      await callApi(visitor, '/api/phone/request-code', { phone })
      // The test needs the limit of the number, not the pause of this browser.
      await visitor.context.clearCookies()
    }
    await openFilledForm(visitor)
    await createAccount(page)
    await expect(page.getByRole('button', { name: /^Resend Code \((5\d|60):\d\d\)$/ })).toBeDisabled()
    await expect(page.locator('form').getByText(/^Too many codes were sent to this number/)).toBeVisible()
    await expect(page.getByText(/We sent/)).toBeHidden()
    await visitor.picture('code-refused')
    await visitor.context.close()
  },
)

test('LEGAL-01: the legal documents can be read at the sign-in, without an account', async ({ page }) => {
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Privacy Policy' }).click()
  await expect(page.getByRole('dialog').getByText('at least 18 years old')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Terms of Use' }).click()
  await page.getByRole('dialog', { name: 'Terms of Use' }).getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test(
  'AUTH-11: on a wide screen the sign-in has marketing text and links to the legal documents',
  { tag: '@phone' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/auth')
    await expect(page.getByText('Everything adds up here.')).toBeVisible()
    for (const name of ['Privacy Policy', 'Terms of Use'])
      await expect(page.getByRole('button', { name })).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByText('Everything adds up here.')).toBeHidden()
  },
)
