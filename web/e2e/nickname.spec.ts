import { expect, test } from '@playwright/test'
import { openPair, send, unlockOnKeypad } from './person.ts'

test('D-62: a nickname stands in place of the user name after a lock, too, and only its owner sees it', async ({
  browser,
}, { project }) => {
  const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
  const { page } = ada
  await send(ada, 'Hello')

  await test.step('it is given in the options of the conversation', async () => {
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('button', { name: 'Nickname' }).click()
    await page.getByRole('textbox', { name: 'Nickname' }).fill('Bär 🐻')
    await ada.picture('nickname')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Bär 🐻' })).toBeVisible()
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await expect(page.getByText(`User name: ${ben.username}`)).toBeVisible()
    await ada.picture('named')
  })

  await test.step('the list of the next unlock has it, and asks for nothing else', async () => {
    await page.goto('/')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await unlockOnKeypad(ada)
    await expect(page.getByRole('link', { name: /Bär 🐻/ })).toBeVisible()
    expect(await page.locator('body').innerText()).not.toContain(ben.username)
    expect(asked.filter((path) => path.startsWith('/api/conversations'))).toEqual(['/api/conversations'])
    await ada.picture('list')
  })

  await expect(ben.page.getByRole('link', { name: new RegExp(ada.username) })).toContainText('Hello')
  expect(await (await ben.context.request.get('/api/conversations')).text()).not.toContain('nickname')
  for (const { context } of [ada, ben]) await context.close()
})
