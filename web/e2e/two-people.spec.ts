import { expect, test } from '@playwright/test'
import { acceptTerms, openVisitor, ownCode, pressKeys, send, signUp, unlockOnKeypad } from './person.ts'
import { markPage, waitUntilReplaced } from './replaced-page.ts'
import { strokeByTouch } from './touch.ts'

test('two people find each other from the calculator, a message crosses without a reload, and the calculator locks', async ({
  browser,
}, { project }) => {
  const ada = await openVisitor(browser, project.name, 'ada', '1815')
  const ben = await openVisitor(browser, project.name, 'ben', '0070')
  const greeting = 'Hello from the other calculator'

  const sockets: string[] = []
  let closedSockets = 0
  ben.page.on('websocket', (socket) => {
    sockets.push(socket.url())
    socket.on('close', () => (closedSockets += 1))
  })

  await test.step('PROD-01 PROD-02 PROD-03 AUTH-04 AUTH-10 SET-01 SET-08 SET-10 PROD-06 CONV-01 CONV-11: both sign up, set a number and unlock', async () => {
    for (const visitor of [ada, ben]) {
      await visitor.page.goto('/')
      await expect(visitor.page).toHaveTitle('Calculator')
      await visitor.picture('first-visit')
      await acceptTerms(visitor)
      await expect(visitor.page.getByRole('heading', { level: 1, name: 'Calculator' })).toBeAttached()
      await expect(visitor.page.getByRole('button', { name: '=', exact: true })).toBeVisible()
      expect(await visitor.page.locator('body').innerText()).not.toMatch(/chat|messag|conversation|secret/i)
      await visitor.picture('calculator')
      await signUp(visitor)
      await unlockOnKeypad(visitor)
      await expect(visitor.page.getByText('No conversations yet')).toBeVisible()
      await expect(
        visitor.page.getByText('Tap the + button to start your first secure conversation'),
      ).toBeVisible()
      await visitor.picture('no-conversations')
    }
  })

  await test.step("SET-13 CONV-02 CONV-03 CONV-13 CHAT-19: one starts a conversation with the code from the other's settings", async () => {
    const code = await ownCode(ben)
    await expect(ada.page.getByText('Messages remaining today: 1')).toBeVisible()
    await ada.page.getByRole('button', { name: 'New conversation' }).click()
    await ada.page.getByLabel('User code').fill(code)
    await ada.picture('new-conversation')
    await ada.page.getByRole('button', { name: 'Start' }).click()
    await expect(ada.page.getByText('This will use your last free message today')).toBeVisible()
    await send(ada, greeting)
    await ada.picture('sent')
  })

  await test.step('CALL-44 NAV-07 CONV-06 CONV-08 CONV-10 CHAT-04 CHAT-10: it appears in the list and in the chat of the other, who reloads nothing', async () => {
    await expect(ben.page.getByText(greeting)).toBeVisible()
    const { host } = new URL(ben.page.url())
    expect(new Set(sockets.map((address) => new URL(address).host))).toEqual(new Set([host]))
    await ben.picture('list-with-message')
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await expect(ben.page.getByRole('heading', { name: ada.username })).toBeVisible()
    await expect(ben.page).toHaveURL(/\/conversation\/[0-9a-f-]{36}$/)
    await expect(ben.page.getByRole('log')).toHaveCount(1)
    await expect(ben.page.getByRole('log').getByText(greeting)).toBeVisible()
  })

  await test.step('D-59: leaving the chat leaves the live connection open', async () => {
    const opened = sockets.length
    await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
    await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
    await expect(ben.page.getByRole('log').getByText(greeting)).toBeVisible()
    expect(sockets).toHaveLength(opened)
    expect(closedSockets).toBe(0)
  })

  await test.step('PERM-03 NAV-05 D-26: with a session one reaches list, settings and chat by their addresses, and without the flag no dashboard', async () => {
    const chat = new URL(ben.page.url()).pathname
    for (const [address, heading] of [
      ['/messaging', 'Secure Messages'],
      ['/settings', 'Settings'],
      ['/admin', '404 Page Not Found'],
      [chat, ada.username],
    ] as const) {
      await ben.page.goto(address)
      await expect(ben.page.getByRole('heading', { name: heading })).toBeVisible()
    }
    await expect(ben.page.getByRole('log').getByText(greeting)).toBeVisible()
  })

  await test.step('STATE-28 STATE-29: the other replies, and both screens agree', async () => {
    await send(ben, 'It works')
    for (const { page } of [ada, ben]) {
      const bubbles = page.getByRole('log').getByRole('article')
      await expect(bubbles).toHaveCount(2)
      await expect(bubbles.nth(0)).toContainText(greeting)
      await expect(bubbles.nth(1)).toContainText('It works')
    }
    await ada.picture('reply')
    await ben.picture('chat')
  })

  await test.step('PROD-09 CHAT-20: the second message of the day has to wait', async () => {
    await expect(
      ada.page.getByText('Daily message limit reached. Upgrade to premium for unlimited messages.'),
    ).toBeVisible()
    await expect(ada.page.getByLabel('Message', { exact: true })).toBeDisabled()
    await ada.picture('limit-reached')
  })

  const conversation = ada.page.url().split('/').at(-1)
  await test.step('the list and the settings show at once that the free message is spent', async () => {
    await ada.page.getByRole('button', { name: 'Back to Messages' }).click()
    await expect(ada.page.getByText('Messages remaining today: 0')).toBeVisible()
    const size = ada.page.viewportSize()
    await ada.page.setViewportSize({ width: 320, height: 640 })
    // A wide window becomes one column with the next render.
    await expect.poll(() => ada.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    if (size) await ada.page.setViewportSize(size)
    await ada.page.getByRole('button', { name: 'Settings' }).click()
    await expect(ada.page.getByText('Messages remaining today: 0')).toBeVisible()
  })

  await test.step('arriving at the calculator locks: the API answers 423 and the chat leads back to the calculator', async () => {
    await ada.page.goto('/')
    await expect(ada.page.getByRole('button', { name: '=', exact: true })).toBeVisible()
    await expect
      .poll(async () => (await ada.page.request.get(`/api/conversations/${conversation}/messages`)).status())
      .toBe(423)
    await ada.picture('locked')
    await ada.page.goto(`/conversation/${conversation}`)
    await expect(ada.page).toHaveURL('/')
  })

  await test.step('CALC-16 CALC-17: bare digits and = unlock again', async () => {
    await pressKeys(ada.page, `${ada.pin}=`)
    await expect(ada.page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()
  })

  await test.step('CONV-05: a swipe leads back to the calculator, and the page is a new one', async () => {
    await markPage(ada.page)
    const { width = 0 } = ada.page.viewportSize() ?? {}
    await strokeByTouch(ada.page, { from: { x: width / 2 - 60, y: 500 }, byX: 120 })
    await expect(ada.page).toHaveURL('/')
    await waitUntilReplaced(ada.page)
  })
  await Promise.all([ada.context.close(), ben.context.close()])
})
