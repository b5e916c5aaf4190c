import { expect, test } from '@playwright/test'
import { openMember, openVisitor, readLink } from './person.ts'

test.use({ viewport: { width: 390, height: 844 } })

test(
  'a person verifies the e-mail address, forgets the password and signs in with a new one, by links of mails',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const member = await openMember(browser, project.name, 'mia', '1815')
    const { page, context, username } = member
    await page.goto('/settings')
    await expect(page.getByRole('heading', { name: 'Verify your email address' })).toBeVisible()
    await member.picture('banner')

    await test.step('the link verifies the address, and leads a signed-in person nowhere', async () => {
      const tab = await context.newPage()
      await tab.goto(await readLink(member, '/verify-email'))
      await expect(tab.getByRole('heading', { name: 'Email Verified!' })).toBeVisible()
      await expect(tab.getByText('You can close this page.')).toBeVisible()
      await expect(tab).toHaveURL(/verify-email/)
      await tab.close()
    })

    await test.step('the banner has gone from Settings', async () => {
      await page.goto('/settings')
      await expect(page.getByText('Your unique code')).toBeVisible()
      await expect(page.getByText('Verify your email address')).toBeHidden()
    })

    const stranger = await openVisitor(browser, project.name, 'mia-elsewhere', '0000')
    await test.step('Forgot Password? sends a link, and its dialog closes by itself', async () => {
      await stranger.page.goto('/auth')
      await stranger.page.getByRole('button', { name: 'Forgot Password?' }).click()
      await stranger.page.getByRole('dialog').getByLabel('Email').fill(`${username}@example.com`)
      await stranger.page.getByRole('button', { name: 'Send Reset Link' }).click()
      await expect(stranger.page.getByText('Password Reset Email Sent').first()).toBeVisible()
      await expect(stranger.page.getByRole('dialog')).toBeHidden()
    })

    await test.step('the link sets a new password and leads to the sign-in', async () => {
      await stranger.page.goto(await readLink(member, '/reset-password'))
      await stranger.page.getByLabel('New Password', { exact: true }).fill('another horse')
      await stranger.page.getByLabel('Confirm New Password', { exact: true }).fill('another horse')
      await stranger.picture('reset')
      await stranger.page.getByRole('button', { name: 'Reset Password', exact: true }).click()
      await expect(stranger.page.getByRole('heading', { name: 'Password Reset Successfully!' })).toBeVisible()
      await expect(stranger.page).toHaveURL('/auth')
    })

    await test.step('every device is signed out, and the new password signs in', async () => {
      await page.reload()
      await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
      await page.getByLabel('Username').first().fill(username)
      await page.getByLabel('Password', { exact: true }).first().fill('another horse')
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page).toHaveURL('/')
    })
    for (const opened of [context, stranger.context]) await opened.close()
  },
)
