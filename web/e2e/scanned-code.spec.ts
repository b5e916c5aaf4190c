import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { acceptTerms, callApi, openMember, openVisitor, pressKeys } from './person.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'New conversation' })
const tag = { tag: ['@full', '@phone'] }

test(
  'a scanned code opens a calculator at a plain address, and waits in a new conversation after the number',
  tag,
  async ({ browser }, { project }) => {
    const ada = await openMember(browser, project.name, 'ada', '1815')
    const ben = await openMember(browser, project.name, 'ben', '0070')
    const { page } = ada

    await test.step('in a new tab', async () => {
      await page.goto('about:blank')
      await page.goto(`/#${ben.userCode}`)
      await expect(page).toHaveURL('/')
      await pressKeys(page, '+1815=')
      await expect(dialog(page).getByLabel('User code')).toHaveValue(ben.userCode)
      await expect(dialog(page).getByText(ada.userCode)).toBeVisible()
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await page.reload()
      await expect(page.getByText('No conversations yet')).toBeVisible()
      await expect(dialog(page)).toBeHidden()
    })

    await test.step('in discreet mode, where every screen has the same address, also in the tab of the app', async () => {
      await callApi(ada, '/api/discreet-mode', { isDiscreet: true })
      await page.goto('/')
      await pressKeys(page, '+1815=')
      await expect(page.getByText('No conversations yet')).toBeVisible()
      await expect(page).toHaveURL('/')
      await page.goto(`/#${ben.userCode}`)
      await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
      await expect(page).toHaveURL('/')
      await pressKeys(page, '+1815=')
      await expect(dialog(page).getByLabel('User code')).toHaveValue(ben.userCode)
      await dialog(page).getByRole('button', { name: 'Start' }).click()
      await expect(page.getByRole('heading', { name: ben.username })).toBeVisible()
    })
    for (const { context } of [ada, ben]) await context.close()
  },
)

test('a scanned code leaves nothing in the browser of a stranger', tag, async ({ browser }, { project }) => {
  const visitor = await openVisitor(browser, project.name, 'guest', '0000')
  const { page } = visitor
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/#7KQ2-M9XD-3')
  await acceptTerms(visitor)
  await pressKeys(page, '1+2=')
  await expect(page.getByRole('status', { name: 'Result' })).toHaveText('3')
  await expect(page).toHaveURL('/')
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
  )
  expect(kept).not.toContain('7KQ2')
  expect(asked.filter((url) => url.includes('7KQ2') || new URL(url).pathname.startsWith('/api'))).toEqual([])
  await expect(page.getByText('7KQ2')).toHaveCount(0)
  await visitor.context.close()
})
