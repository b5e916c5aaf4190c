import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { callApi, openMember, openPair, password, send, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'

interface Stored {
  content: string
  sealed?: { v: number; from: number; to: number }
}
const idOf = ({ page }: Visitor) => page.url().split('/').at(-1) as string
const storedIn = async (visitor: Visitor, id: string) =>
  (await (await visitor.context.request.get(`/api/conversations/${id}/messages`)).json()) as Stored[]
const bubbles = (page: Page) => page.getByRole('log').getByRole('article')
const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(username) }).click()
const option = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('button', { name }).click()
}
const codeOn = async (page: Page) => {
  await option(page, 'Security code')
  const groups = page.getByRole('list', { name: 'Security code' }).getByRole('listitem')
  await expect(groups).toHaveCount(12)
  const code = await groups.allInnerTexts()
  await page.keyboard.press('Escape')
  return code
}
/** Makes new keys through Settings. */
const makeNewKeys = async ({ page, pin }: Visitor) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Encryption' }).click()
  await page.getByRole('button', { name: 'New keys' }).click()
  await page.getByLabel('Security Password').fill(pin)
  await page.getByRole('button', { name: 'Make new keys' }).click()
  await expect(page.getByRole('heading', { name: 'New keys' })).toBeHidden()
}

test('what two browsers write to each other is sealed, and readable after a reload, in a second tab and on a new device', async ({
  browser,
}, { project }) => {
  const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
  const id = idOf(ada)
  await openChat(ben, ada)

  await test.step('the text crosses without a reload; what the server stores shows none of it', async () => {
    await send(ada, 'meet me at noon')
    await expect(bubbles(ben.page).filter({ hasText: 'meet me at noon' })).toBeVisible()
    await send(ben, 'I will be there')
    await expect(bubbles(ada.page).filter({ hasText: 'I will be there' })).toBeVisible()
    const stored = await storedIn(ada, id)
    expect(stored.map(({ sealed }) => sealed)).toEqual([
      { v: 1, from: 1, to: 1 },
      { v: 1, from: 1, to: 1 },
    ])
    expect(stored.map(({ content }) => content).join()).toMatch(/^[\w-]{120,},[\w-]{300,}$/)
    await expect(ada.page.getByText('Not encrypted')).toBeHidden()
    await ada.picture('sealed')
  })

  await test.step('both see the same security code', async () => {
    expect(await codeOn(ada.page)).toEqual(await codeOn(ben.page))
  })

  await test.step('a reload, a second tab and the list keep reading', async () => {
    await ada.page.reload()
    await expect(bubbles(ada.page).filter({ hasText: 'I will be there' })).toBeVisible()
    const tab = await ada.context.newPage()
    await tab.goto(`/conversation/${id}`)
    await expect(bubbles(tab).filter({ hasText: 'I will be there' })).toBeVisible()
    await tab.close()
    await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
    await expect(ben.page.getByText('You: I will be there')).toBeVisible()
    await openChat(ben, ada)
  })

  await test.step('plain text of an API client is shown and marked, and the answer is sealed', async () => {
    await callApi(ben, '/api/messages', { conversationId: id, content: 'plain as ever' })
    await expect(bubbles(ada.page).filter({ hasText: 'plain as ever' })).toBeVisible()
    await ada.page.getByRole('button', { name: 'Not encrypted' }).click()
    await expect(ada.page.getByText('Not encrypted: the server could read or write this')).toBeVisible()
    await send(ada, 'sealed again')
    await expect(bubbles(ben.page).filter({ hasText: 'sealed again' })).toBeVisible()
    expect((await storedIn(ada, id)).at(-1)?.sealed).toEqual({ v: 1, from: 1, to: 1 })
  })

  await test.step('a new device reads everything with account password and number', async () => {
    const context = await browser.newContext()
    const device: Visitor = { ...ben, context, page: await context.newPage() }
    await callApi(device, '/api/login', { username: ben.username, password })
    await device.page.goto('/')
    await device.page.getByRole('button', { name: 'Accept and Continue' }).click()
    await unlockOnKeypad(device)
    await openChat(device, ada)
    for (const text of ['meet me at noon', 'I will be there', 'sealed again'])
      await expect(bubbles(device.page).filter({ hasText: text })).toBeVisible()
    await context.close()
  })
  await Promise.all([ada.context.close(), ben.context.close()])
})

test(
  'a browser that has not seen the number says so, reads and writes plain, and reads all after the number',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const id = idOf(ada)
    await openChat(ben, ada)
    await send(ada, 'for the keys only')
    await expect(bubbles(ben.page).filter({ hasText: 'for the keys only' })).toBeVisible()

    const context = await browser.newContext()
    const { page, picture } = { page: await context.newPage(), picture: ben.picture }
    const bare: Visitor = { ...ben, context, page }
    await callApi(bare, '/api/login', { username: ben.username, password })
    await callApi(bare, '/api/verify-numeric-password', { numericPassword: ben.pin })
    await page.goto(`/conversation/${id}`)
    await expect(bubbles(page).getByText('Lock and enter your number to read this')).toBeVisible()
    await expect(page.getByText('Not encrypted: this browser has not seen your number')).toBeVisible()
    await picture('without-keys')
    await send(bare, 'written without keys')
    await expect(bubbles(ada.page).filter({ hasText: 'written without keys' })).toBeVisible()
    expect((await storedIn(ada, id)).map(({ sealed }) => sealed !== undefined)).toEqual([true, false])

    await page.goto('/')
    await page.getByRole('button', { name: 'Accept and Continue' }).click()
    await unlockOnKeypad(bare)
    await openChat(bare, ada)
    await expect(bubbles(page).filter({ hasText: 'for the keys only' })).toBeVisible()
    await Promise.all([ada.context.close(), ben.context.close(), context.close()])
  },
)

test(
  'after a change of the number, and with new keys, everything stays readable and the partner is told',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await openChat(ben, ada)
    await send(ada, 'before')
    await expect(bubbles(ben.page).filter({ hasText: 'before' })).toBeVisible()

    await test.step('the new number opens the same keys', async () => {
      const { page } = ben
      await page.goto('/settings/number')
      await page.getByLabel('Current Security Password').fill(ben.pin)
      await page.getByLabel('New Security Password', { exact: true }).fill('97531')
      await page.getByLabel('Confirm Security Password').fill('97531')
      await page.getByRole('button', { name: 'Change Password' }).click()
      await expect(page.getByText('Password changed', { exact: true })).toBeVisible()
      ben.pin = '97531'
      await page.goto('/')
      await unlockOnKeypad(ben)
      await openChat(ben, ada)
      await expect(bubbles(page).filter({ hasText: 'before' })).toBeVisible()
    })

    await test.step('new keys keep the history; the partner sees the notice, and what they write is sealed for the new key', async () => {
      const { page } = ben
      await makeNewKeys(ben)
      await page.goto(new URL(ada.page.url()).pathname)
      await expect(bubbles(page).filter({ hasText: 'before' })).toBeVisible()
      await ada.page.reload()
      await expect(ada.page.getByText(/security code changed/)).toBeVisible()
      await ada.picture('code-changed')
      await send(ada, 'after')
      await expect(bubbles(page).filter({ hasText: 'after' })).toBeVisible()
      expect((await storedIn(ada, idOf(ada))).at(-1)?.sealed).toEqual({ v: 1, from: 1, to: 2 })
      await expect(ada.page.getByText(/security code changed/)).toBeHidden()
    })
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)

test(
  'a person whose box does not open reads why, reads and writes plain text, and makes new keys',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ben
    await openChat(ben, ada)
    await send(ada, 'sealed for ben')
    await expect(bubbles(page).filter({ hasText: 'sealed for ben' })).toBeVisible()
    await callApi(ben, '/api/messages', { conversationId: idOf(ada), content: 'plain as ever' })
    const damaged = await withDatabase(await sharedStack(), 'auth', (database) =>
      database
        .collection('users')
        .updateOne({ username: ben.username }, { $set: { 'keys.0.box': 'A'.repeat(264) } }),
    )
    expect(damaged.modifiedCount).toBe(1)

    await page.goto('/')
    await unlockOnKeypad(ben)
    await openChat(ben, ada)
    await expect(bubbles(page).getByText('Your keys do not open here')).toBeVisible()
    await expect(page.getByText('Not encrypted: your keys do not open here')).toBeVisible()
    await ben.picture('lost-key')
    await expect(bubbles(page).filter({ hasText: 'plain as ever' })).toBeVisible()
    await send(ben, 'written without keys')
    await expect(bubbles(ada.page).filter({ hasText: 'written without keys' })).toBeVisible()
    expect((await storedIn(ada, idOf(ada))).map(({ sealed }) => sealed !== undefined)).toEqual([
      true,
      false,
      false,
    ])

    await makeNewKeys(ben)
    await page.goto(new URL(ada.page.url()).pathname)
    await send(ben, 'sealed again')
    await expect(bubbles(ada.page).filter({ hasText: 'sealed again' })).toBeVisible()
    expect((await storedIn(ada, idOf(ada))).at(-1)?.sealed).toEqual({ v: 1, from: 2, to: 1 })
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)

test(
  'a person who never unlocked in a browser gets plain text, and the composer says so',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const ada = await openMember(browser, project.name, 'ada', '1815')
    const ben = await openMember(browser, project.name, 'ben', '0070')
    await unlockOnKeypad(ada)
    await callApi(ada, '/api/conversations', { userCode: ben.userCode })
    await openChat(ada, ben)
    await expect(ada.page.getByText(`Not encrypted: ${ben.username} has no keys yet`)).toBeVisible()
    await ada.picture('no-keys-yet')
    await send(ada, 'in plain words')
    await expect
      .poll(async () => (await storedIn(ada, idOf(ada))).map(({ content }) => content))
      .toEqual(['in plain words'])
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)
