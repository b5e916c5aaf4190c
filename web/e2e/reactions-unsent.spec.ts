import { expect, test } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'
import { openPair, send, unlockOnKeypad } from './person.ts'
import { waitUntilKept } from './stored-entries.ts'

const log = (page: Page) => page.getByRole('log')
/** The reactions below all bubbles, as they are read out. */
const shownOn = (page: Page) =>
  log(page)
    .getByRole('list', { name: 'Reactions' })
    .getByRole('listitem')
    .evaluateAll((chips) =>
      chips.map(
        (chip) => `${chip.querySelector('bdi')?.textContent} ${chip.querySelector('.sr-only')?.textContent}`,
      ),
    )
const emojiOn = async (page: Page) => (await shownOn(page)).map((chip) => chip.split(' ')[0])

async function react(page: Page, text: string, emoji: string): Promise<void> {
  await log(page).getByText(text).dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
  await page.getByRole('menuitem', { name: new RegExp(emoji) }).click()
}

/** Keeps the acts of a tab or of all tabs from the server until it is released. */
async function holdActs(where: Page | BrowserContext): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await where.route('**/acts', async (route) => {
    await released
    await route.fallback()
  })
  return release
}

test(
  'reactions without an answer survive a reload and a lock, and tabs and people who react at once agree in the end',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    for (const text of ['First', 'Second']) await send(ada, text)
    const openChat = () => ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await openChat()
    await expect(log(ben.page).getByText('Second')).toBeVisible()

    await test.step('tried without success, then replaced: both stay after a reload and a lock, and the last one counts', async () => {
      await ben.context.route('**/acts', (route) => route.abort())
      await react(ben.page, 'First', '👍')
      await expect.poll(() => shownOn(ben.page)).toEqual([expect.stringContaining('👍  from you, sending…')])
      await waitUntilKept(ben.page)
      await ben.page.reload()
      await expect.poll(() => emojiOn(ben.page)).toEqual(['👍'])
      await react(ben.page, 'First', '❤️')
      await waitUntilKept(ben.page)
      await ben.page.goto('/')
      await unlockOnKeypad(ben)
      await openChat()
      await expect.poll(() => emojiOn(ben.page)).toEqual(['❤️'])
      expect(await shownOn(ada.page)).toEqual([])
      await ben.context.unroute('**/acts')
      await ben.page.reload()
      for (const { page } of [ada, ben]) await expect.poll(() => emojiOn(page)).toEqual(['❤️'])
      await expect.poll(() => shownOn(ben.page)).not.toContainEqual(expect.stringContaining('sending'))
    })

    await test.step('both people at once on one message, one of them without a network', async () => {
      await ada.context.setOffline(true)
      await react(ada.page, 'Second', '😮')
      await react(ben.page, 'Second', '🙏')
      await expect.poll(() => emojiOn(ada.page)).toEqual(['❤️', '😮'])
      await ada.context.setOffline(false)
      await expect.poll(() => emojiOn(ada.page)).toEqual(['❤️', '🙏', '😮'])
      await expect.poll(() => emojiOn(ben.page)).toEqual(['❤️', '😮', '🙏'])
    })

    await test.step('in two tabs at once: the later one is refused, and both show the first', async () => {
      const tab = await ben.context.newPage()
      await tab.goto(ben.page.url())
      await expect.poll(() => emojiOn(tab)).toEqual(['❤️', '😮', '🙏'])
      const release = await holdActs(tab)
      await react(tab, 'First', '😢')
      await expect.poll(() => emojiOn(tab)).toEqual(['😢', '😮', '🙏'])
      await react(ben.page, 'First', '😂')
      await expect.poll(() => emojiOn(ada.page)).toEqual(['😂', '🙏', '😮'])
      release()
      await expect(tab.getByText('Reaction not sent', { exact: true })).toBeVisible()
      for (const page of [tab, ben.page]) await expect.poll(() => emojiOn(page)).toEqual(['😂', '😮', '🙏'])
      await tab.close()
    })

    await test.step('on a message that the other one takes back at the same time it is refused', async () => {
      const release = await holdActs(ben.page)
      await react(ben.page, 'Second', '👍')
      await log(ada.page).getByText('Second').dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
      await ada.page.getByRole('menuitem', { name: 'Delete for both' }).click()
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete for both' }).click()
      await expect(log(ben.page).getByText('Deleted message')).toBeVisible()
      release()
      await expect(ben.page.getByText('Reaction not sent', { exact: true })).toBeVisible()
      for (const { page } of [ada, ben]) await expect.poll(() => emojiOn(page)).toEqual(['😂'])
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
