import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openMember, unlockOnKeypad } from './person.ts'
import { pressEscapeTwice } from './timed-input.ts'

const result = (page: Page) => page.getByRole('status', { name: 'Result' })

for (const delay of [0, 70, 160])
  test(
    `no key is lost that is typed after a flight, ${delay} ms apart`,
    { tag: ['@full', '@phone'] },
    async ({ browser }, { project }) => {
      const ada = await openMember(browser, project.name, 'ada', '1815')
      const { page, context } = ada
      await unlockOnKeypad(ada)
      const isReplaced = page.waitForEvent('load')
      await pressEscapeTwice(page)
      await page.keyboard.type('12345678', { delay })
      await isReplaced
      await expect(result(page)).toHaveText('12,345,678')
      await context.close()
    },
  )

test.describe('without a worker', () => {
  // It would answer from its cache.
  test.use({ serviceWorkers: 'block' })

  test(
    'keys and taps on the face count, although no script of the calculator has run yet',
    { tag: ['@full', '@phone'] },
    async ({ browser }, { project }) => {
      const { page, context } = await openMember(browser, project.name, 'ada', '1815')
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/assets/a-*.js', async (route) => {
        await released
        await route.continue()
      })
      await page.goto('/', { waitUntil: 'commit' })
      // Chromium drops taps on a page that it has not painted yet.
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
      const box = await page
        .locator('#root [data-calculator] [role=group] button', { hasText: '4' })
        .boundingBox()
      if (!box) throw new Error('The face is not on the screen.')
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
      await page.keyboard.type('2+5')
      await expect(page.locator('#root output')).toHaveText('0')
      release()
      await expect(result(page)).toHaveText('5')
      await page.keyboard.press('=')
      await expect(result(page)).toHaveText('47')
      await context.close()
    },
  )
})
