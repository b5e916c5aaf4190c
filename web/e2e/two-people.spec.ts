import { expect, test } from '@playwright/test'
import { acceptTerms, openVisitor, ownCode, pressKeys, send, signUp, unlockOnKeypad } from './person.ts'

test('two people find each other from the calculator, a message crosses without a reload, and the calculator locks', async ({
  browser,
}, { project }) => {
  const suffix = Math.random().toString(36).slice(2, 8)
  const ada = await openVisitor(browser, project.name, `ada${suffix}`, '1815')
  const ben = await openVisitor(browser, project.name, `ben${suffix}`, '0070')

  for (const visitor of [ada, ben]) {
    await visitor.page.goto('/')
    await expect(visitor.page).toHaveTitle('Calculator')
    await visitor.picture('first-visit')
    await acceptTerms(visitor)
    await visitor.picture('calculator')
    await signUp(visitor)
    await unlockOnKeypad(visitor)
    await visitor.picture('no-conversations')
  }

  const code = await ownCode(ben)
  await ada.page.getByRole('button', { name: 'New conversation' }).click()
  await ada.page.getByLabel('User code').fill(code)
  await ada.picture('new-conversation')
  await ada.page.getByRole('button', { name: 'Start' }).click()
  await expect(ada.page.getByText('This will use your last free message today')).toBeVisible()
  await send(ada, 'Hello from the other calculator')
  await ada.picture('sent')

  // Nobody reloads: the list, then the chat, hear of it by themselves.
  await expect(ben.page.getByText('Hello from the other calculator')).toBeVisible()
  await ben.picture('list-with-message')
  await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
  await expect(ben.page.getByRole('log').getByText('Hello from the other calculator')).toBeVisible()
  await send(ben, 'It works')
  await expect(ada.page.getByRole('log').getByText('It works')).toBeVisible()
  await ada.picture('reply')
  await ben.picture('chat')
  for (const { page } of [ada, ben]) {
    await expect(page.getByRole('log').getByRole('article')).toHaveCount(2)
    await expect(page.getByRole('log').getByRole('article').nth(0)).toContainText(
      'Hello from the other calculator',
    )
    await expect(page.getByRole('log').getByRole('article').nth(1)).toContainText('It works')
  }

  await expect(ada.page.getByText('Daily message limit reached.')).toBeVisible()
  await expect(ada.page.getByLabel('Message', { exact: true })).toBeDisabled()
  await ada.picture('limit-reached')

  const conversation = ada.page.url().split('/').at(-1)
  await ada.page.goto('/')
  await expect(ada.page.getByRole('button', { name: 'equals', exact: true })).toBeVisible()
  await expect(async () => {
    const answer = await ada.page.request.get(`/api/conversations/${conversation}/messages`)
    expect(answer.status()).toBe(423)
  }).toPass({ timeout: 5000 })
  await ada.picture('locked')
  await ada.page.goto(`/conversation/${conversation}`)
  await expect(ada.page).toHaveURL('/')

  await pressKeys(ada.page, `${ada.pin}=`)
  await expect(ada.page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
  await Promise.all([ada.context.close(), ben.context.close()])
})
