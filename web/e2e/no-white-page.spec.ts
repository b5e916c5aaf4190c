import { expect, test } from '@playwright/test'

// Requests that pass a service worker cannot be answered by the test.
test.use({ serviceWorkers: 'block' })

const equals = { name: '=', exact: true }

test(
  'a screen that cannot be downloaded is retried, reloads the page once, and then offers Retry',
  { tag: ['@full', '@phone'] },
  async ({ page }) => {
    let documents = 0
    let isBroken = true
    let failures = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1
    })
    await page.goto('/')
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    // From here on nothing further can be downloaded.
    const entry = await page.locator('script[type=module]').getAttribute('src')
    await page.route('**/assets/*.js', async (route) => {
      if (
        !isBroken ||
        route
          .request()
          .url()
          .endsWith(entry as string)
      )
        return route.fallback()
      if (documents > 1 && /\/assets\/b-/.test(route.request().url())) return route.fallback()
      failures += 1
      return route.abort()
    })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    expect(documents).toBe(2)
    expect(failures).toBeGreaterThanOrEqual(4)
    isBroken = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  },
)

test(
  'a browser that blocks storage shows the calculator and the sign-in',
  { tag: ['@full', '@phone'] },
  async ({ page }) => {
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('Access is denied', 'SecurityError')
          },
        })
      }
    })
    await page.goto('/')
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    await expect(page.getByRole('button', equals)).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  },
)

test(
  'an app that cannot start shows a working calculator',
  { tag: ['@full', '@phone'] },
  async ({ page }) => {
    // Read by the router while it renders, so that the whole app fails.
    await page.addInitScript(() => {
      // On an unknown device the app would not start.
      document.cookie = 'v=1; path=/'
      localStorage.setItem('calc.terms', '1')
      Object.defineProperty(History.prototype, 'state', {
        get: () => {
          throw new DOMException('Access is denied', 'SecurityError')
        },
      })
    })
    const failed = page.waitForEvent('console', (message) => message.type() === 'error')
    await page.goto('/')
    await failed
    for (const key of [...'7×6=']) {
      await page.getByRole('button', { name: key, exact: true }).click()
    }
    await expect(page.getByRole('status', { name: 'Result' })).toHaveText('42')
  },
)
