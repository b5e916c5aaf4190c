import { expect, test } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { administrate, callApi, openMember, openPair, unlockOnKeypad } from './person.ts'

const twoLooks = looks.filter(({ name }) => name === 'phone-dark' || name === 'desktop-light')

test(
  'what can be done with a conversation and an account is accessible on a phone in the dark and in a wide window by day',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name)
    const { page } = ada
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await check(page, '40-options', twoLooks)
    await page.getByRole('button', { name: 'Report' }).click()
    await check(page, '41-report', twoLooks)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('button', { name: 'Block' }).click()
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await expect(page.getByText(/^You blocked /)).toBeVisible()
    await check(page, '42-blocked', twoLooks)

    await callApi(ben, '/api/conversation-preferences', { asksFirst: true }, 'PUT')
    const cal = await openMember(browser, project.name, 'cal', '4711')
    await unlockOnKeypad(cal)
    const { userCode } = (await (await ben.context.request.get('/api/user')).json()) as { userCode: string }
    const { id: conversationId } = await callApi<{ id: string }>(cal, '/api/conversations', { userCode })
    await callApi(cal, '/api/messages', { conversationId, content: 'May I?' })
    await expect(ben.page.getByRole('heading', { name: 'Requests' })).toBeVisible()
    await check(ben.page, '43-requests', twoLooks)
    await ben.page.getByRole('link', { name: new RegExp(cal.username) }).click()
    await expect(ben.page.getByRole('button', { name: 'Accept' })).toBeVisible()
    await check(ben.page, '44-request', twoLooks)

    await page.goto('/settings/devices')
    await expect(page.getByText('This device')).toBeVisible()
    await check(page, '45-devices', twoLooks)
    await page.goto('/settings/access-log')
    await expect(page.getByText('By administrators')).toBeVisible()
    await check(page, '46-access-log', twoLooks)
    for (const { context } of [ada, ben, cal]) await context.close()
  },
)

test(
  'the dashboard of an admin is accessible on a phone in the dark and in a wide window by day',
  { tag: '@desktop' },
  async ({ browser }) => {
    const context = await browser.newContext()
    await administrate({ context })
    const page = await context.newPage()
    // Shows three people instead of all those from other tests.
    await page.route('**/api/admin/users*', async (route) => {
      const answer = await route.fetch()
      const users = (await answer.json()) as unknown[]
      await route.fulfill({ response: answer, json: users.slice(0, 3) })
    })
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: /^All Users/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Manage/ }).first()).toBeVisible()
    await check(page, '50-admin', twoLooks)
    await page
      .getByRole('button', { name: /^Manage/ })
      .first()
      .click()
    await check(page, '51-manage', twoLooks)
    const stale = { error: 'Please give your account password to do this.', code: 'step_up_required' }
    await page.route('**/api/admin/grants', (route) => route.fulfill({ status: 403, json: stale }))
    await page.getByRole('button', { name: 'Grant premium' }).click()
    await expect(page.getByLabel('Account password', { exact: true })).toBeVisible()
    await check(page, '52-password-of-admin', twoLooks)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Accounts' }).click()
    await expect(page.getByText('looked at the list of users').first()).toBeVisible()
    await page.getByRole('heading', { name: 'Actions of administrators' }).scrollIntoViewIfNeeded()
    await check(page, '53-actions-of-admins', twoLooks)
    await context.close()
  },
)
