import { expect, test } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { callApi, openPair, send } from './person.ts'

test(
  'the screens of sealing in five sizes and themes',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const id = page.url().split('/').at(-1)
    await callApi(ada, '/api/messages', { conversationId: id, content: 'written by a client without keys' })
    await send(ada, 'Sealed for two')
    await expect(page.getByRole('log').getByText('sent')).toHaveCount(2)
    await page.getByRole('button', { name: 'Not encrypted' }).click()
    await check(page, '70-sealed-chat', looks)
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('button', { name: 'Security code' }).click()
    await expect(page.getByRole('list', { name: 'Security code' })).toBeVisible()
    await check(page, '71-security-code', looks)
    await page.getByRole('button', { name: 'The digits are the same' }).click()
    await expect(page.getByText('You compared this code')).toBeVisible()
    await page.keyboard.press('Escape')

    await ben.page.goto('/settings')
    await ben.page.getByRole('button', { name: 'Encryption' }).click()
    await check(ben.page, '72-encryption', looks)
    await ben.page.getByRole('button', { name: 'New keys' }).click()
    await check(ben.page, '73-new-keys', looks)
    await ben.page.getByLabel('Security Password').fill(ben.pin)
    await ben.page.getByRole('button', { name: 'Make new keys' }).click()
    await expect(ben.page.getByRole('heading', { name: 'New keys' })).toBeHidden()
    await page.reload()
    await expect(page.getByText('and you had compared it')).toBeVisible()
    await check(page, '74-compared-code-changed', looks)
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)
