import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { acceptTerms, openVisitor, ownCode, send, signUp, unlockOnKeypad } from './person.ts'

const leverUrl = process.env['E2E_LEVER_URL'] ?? ''

/** Kills an engine of the stack under test, or starts it again. */
async function pull(lever: 'kill' | 'start', engine: 'redis'): Promise<void> {
  const answer = await fetch(`${leverUrl}/${engine}/${lever}`, { method: 'POST' })
  expect(answer.status).toBe(204)
}

const shows = (page: Page, text: string) =>
  expect(page.getByRole('log').getByText(text)).toBeVisible({ timeout: 5000 })

test('with Redis dead and the sockets alive, a message is on the other screen within five seconds', async ({
  browser,
}, { project }) => {
  test.setTimeout(120_000)
  const suffix = Math.random().toString(36).slice(2, 8)
  const ada = await openVisitor(browser, project.name, `ada${suffix}`, '1815')
  const ben = await openVisitor(browser, project.name, `ben${suffix}`, '0070')
  for (const visitor of [ada, ben]) {
    await visitor.page.goto('/')
    await acceptTerms(visitor)
    await signUp(visitor)
    await unlockOnKeypad(visitor)
  }
  const code = await ownCode(ben)
  await ada.page.getByRole('button', { name: 'New conversation' }).click()
  await ada.page.getByLabel('User code').fill(code)
  await ada.page.getByRole('button', { name: 'Start' }).click()
  await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
  await expect(ben.page.getByRole('heading', { name: ada.username })).toBeVisible()

  await pull('kill', 'redis')
  try {
    const sentAt = performance.now()
    await send(ada, 'Redis is dead')
    await shows(ben.page, 'Redis is dead')
    process.stdout.write(`  on the other screen after ${(performance.now() - sentAt).toFixed(0)} ms\n`)
    await ben.picture('while-redis-is-dead')
    await send(ben, 'I read you')
    await shows(ada.page, 'I read you')
    // Neither of them was asked to reload, to wait or to sign in again.
    for (const { page } of [ada, ben]) await expect(page.getByRole('log').getByRole('article')).toHaveCount(2)
  } finally {
    await pull('start', 'redis')
  }
  await Promise.all([ada.context.close(), ben.context.close()])
})
