import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openPair, send } from './person.ts'
import type { Visitor } from './person.ts'

const bubble = (page: Page, text: string) =>
  page.getByRole('log').getByRole('article').filter({ hasText: text })

/** Turns read receipts on or off in Settings, from the list and back to it. */
async function showRead({ page, picture }: Visitor, isOn: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click()
  const toggle = page.getByRole('switch', { name: 'Read receipts' })
  await expect(toggle).toHaveAttribute('aria-checked', String(!isOn))
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-checked', String(isOn))
  await picture(`read-receipts-${isOn ? 'on' : 'off'}`)
  await page.getByRole('button', { name: 'Back' }).click()
}

async function unreadOf({ context }: Visitor): Promise<number | undefined> {
  const [row] = (await (await context.request.get('/api/conversations')).json()) as { unreadCount: number }[]
  return row?.unreadCount
}

test(
  'D-66: ticks of both stay single while read receipts of one are off, and what was read shows once something newer is read',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const row = ben.page.getByRole('link', { name: new RegExp(ada.username) })

    await test.step('while Ben has them off, he reads and counts, and neither sees it of the other', async () => {
      await showRead(ben, false)
      await send(ada, 'First')
      await expect(row).toContainText('First')
      await row.click()
      await expect.poll(() => unreadOf(ben)).toBe(0)
      await send(ben, 'Answer')
      await expect(bubble(ada.page, 'Answer')).toBeInViewport()
      await expect.poll(() => unreadOf(ada)).toBe(0)
      await send(ada, 'Next')
      await expect(bubble(ben.page, 'Next')).toBeInViewport()
      await expect(bubble(ada.page, 'First')).toContainText('sent')
      await expect(bubble(ben.page, 'Answer')).toContainText('sent')
      for (const { page } of [ada, ben]) await page.reload()
      await expect(bubble(ada.page, 'First')).toContainText('sent')
      await expect(bubble(ben.page, 'Answer')).toContainText('sent')
      await ada.picture('not-shown-as-read')
    })

    await test.step('turned on again nothing shows by itself, and all with the next message that is read', async () => {
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await showRead(ben, true)
      await expect(bubble(ada.page, 'First')).toContainText('sent')
      await send(ada, 'Last')
      await row.click()
      for (const text of ['First', 'Next', 'Last']) await expect(bubble(ada.page, text)).toContainText('read')
      await send(ben, 'Goodbye')
      for (const text of ['Answer', 'Goodbye']) await expect(bubble(ben.page, text)).toContainText('read')
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
