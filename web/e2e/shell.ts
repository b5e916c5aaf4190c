import type { Page } from '@playwright/test'

/**
 * Turns all following pages into an Android shell whose store sells the yearly product. `window.finished` lists the
 * finished purchases.
 */
export const inShell = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const finished: string[] = []
    const purchase = {
      platform: 'android',
      packageName: 'com.example.calculator',
      productId: 'premium_yearly',
      purchaseToken: 'bought-in-the-shell',
    }
    Object.assign(window, {
      finished,
      Capacitor: { isNativePlatform: () => true, getPlatform: () => 'android' },
      calculatorStore: {
        initialize: () => Promise.resolve(),
        products: () => [{ id: 'premium_yearly', title: 'A year of Premium', price: 'CHF 30' }],
        order: () => Promise.resolve(purchase),
        restore: () => Promise.resolve([purchase]),
        finish: ({ purchaseToken }: typeof purchase) => Promise.resolve(void finished.push(purchaseToken)),
      },
    })
  })

export const finishedIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { finished: string[] }).finished)
