import { expect, test } from '@playwright/test'
import { callApi, openPair, send } from './person.ts'
import type { Visitor } from './person.ts'

/** Sends messages over the API, one after another. */
async function sendTwenty(visitor: Visitor, conversationId: string, name: string) {
  for (let number = 1; number <= 20; number += 1)
    await callApi(visitor, '/api/messages', {
      conversationId,
      clientMessageId: crypto.randomUUID(),
      messageType: 'text',
      content: `${name} ${number}`,
    })
}

test(
  'twenty messages reach the list of the recipient without a fetch of the list for each, in the list and in the chat',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const conversationId = ada.page.url().split('/').at(-1) as string
    const row = ben.page.getByRole('link', { name: new RegExp(ada.username) })
    // A connection that comes back may fetch changes, and then the list.
    const fetches: string[] = []
    ben.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'GET' && ['/api/conversations', '/api/changes'].includes(pathname))
        fetches.push(request.url())
    })
    await send(ada, 'Are you there?')
    await expect(row).toContainText('Are you there?')

    await test.step('in the list: the last message and the number of unread ones', async () => {
      fetches.length = 0
      await sendTwenty(ada, conversationId, 'Early')
      await expect(row).toContainText('Early 20')
      await expect(row).toContainText('21 unread')
      expect(fetches.length).toBeLessThanOrEqual(2)
    })

    await test.step('in the chat: they are read, and the row shows it', async () => {
      await row.click()
      await ben.page.getByRole('button', { name: /new$/ }).click()
      await expect(ben.page.getByRole('log').getByText('Early 20', { exact: true })).toBeInViewport()
      fetches.length = 0
      await sendTwenty(ada, conversationId, 'Late')
      await expect(ben.page.getByRole('log').getByText('Late 20', { exact: true })).toBeVisible()
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(row).toContainText('Late 20')
      await expect(row).not.toContainText('unread')
      expect(fetches.length).toBeLessThanOrEqual(2)
    })
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)
