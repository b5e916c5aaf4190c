import { expect, test } from '@playwright/test'

// The test cannot answer requests that pass through a service worker.
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
    // Nothing further can be downloaded from here on.
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
    // The router reads it while it renders, so the whole app fails.
    await page.addInitScript(() => {
      // The app would not start on an unknown device.
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
