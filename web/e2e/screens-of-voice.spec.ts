import { expect, test } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { openPair } from './person.ts'

test(
  'the screens of voice messages in five sizes and themes',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    await ada.context.grantPermissions(['microphone'])
    await check(page, '84-microphone', looks)
    await page.getByRole('button', { name: 'Record a voice message' }).click()
    await expect(page.getByRole('timer', { name: 'Recorded' })).toHaveText(/^0:0[3-9]$/)
    await check(page, '85-voice-recording', looks)
    await ada.context.route('**/api/objects/*', (route) =>
      route.fulfill({ status: 501, json: { error: 'Not today.' } }),
    )
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Upload failed. Not today.')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await check(page, '86-voice-upload-failed', looks)
    await ada.context.unroute('**/api/objects/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    const place = page.getByRole('slider', { name: 'Position' })
    await place.press('ArrowRight')
    // Moves on by five seconds, or to the end of a shorter recording.
    await expect(place).toHaveAttribute('aria-valuetext', /^(0:05 of|(0:0[34]) of \2$)/)
    await check(page, '87-voice-message', looks)
    await ada.context.close()
  },
)
