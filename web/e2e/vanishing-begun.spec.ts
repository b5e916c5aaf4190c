import { expect, test } from '@playwright/test'
import type { Page, Route } from '@playwright/test'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { sendFilm } from './flee-ways.ts'
import { openPair, send, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { leftIn, playingIn, watchMedia } from './played-media.ts'
import { setHidden } from './set-hidden.ts'
import { waitUntilKept } from './stored-entries.ts'
import { pressEscapeTwice } from './timed-input.ts'
import { holdByTouch } from './touch.ts'
import { chooseTimer, idOf, log, openTimer, pass, setTimer, timerDialog } from './vanishing-kit.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const box = (page: Page) => page.getByLabel('Message', { exact: true })
const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(username) }).click()
/** Opens the chat on a new page, which is locked at first. */
async function openAnew(visitor: Visitor, other: Visitor): Promise<void> {
  await waitUntilKept(visitor.page)
  await visitor.page.goto('/')
  await unlockOnKeypad(visitor)
  await openChat(visitor, other)
}
const bubble = (page: Page, text: string) => log(page).getByRole('article').filter({ hasText: text })

async function choose(page: Page, text: string, item: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name: item })
  await holdByTouch(page, bubble(page, text), () => expect(entry).toBeVisible())
  await entry.tap()
}

test(
  'a film and a voice message that play when their time is over stop in the chat and in the overview, and nothing of them stays',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await ada.context.grantPermissions(['microphone'])
    for (const { context } of [ada, ben]) await context.addInitScript(watchMedia)
    await ada.page.reload()
    await setTimer(ada.page, '5 minutes')
    await sendFilm(ada.page)
    await button(ada.page, 'Record a voice message').click()
    await expect(ada.page.getByRole('timer', { name: 'Recorded' })).toHaveText(/^0:0[2-9]$/)
    await button(ada.page, 'Send').click()
    await openChat(ben, ada)
    await expect(log(ben.page).getByRole('group', { name: 'Voice message' })).toBeAttached()
    await log(ben.page).evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect(log(ben.page).getByText(/vanishes 5 minutes after reading: /)).toHaveCount(2)
    const pages = [ada.page, await ada.context.newPage(), ben.page, await ben.context.newPage()] as const
    for (const page of pages) {
      await page.goto(ada.page.url())
      await expect(log(page).getByText(/vanishes 5 minutes after \w+: [2-5] minutes left/)).toHaveCount(2)
    }
    const [voiceTile, filmTile, film, voice] = pages
    // In a low window the day stands above the list.
    await voice.setViewportSize({ width: 390, height: 300 })
    await log(voice).evaluate((element) => element.scrollTo(0, element.scrollHeight))
    const days = (page: Page) => page.getByText(/^(Today|Yesterday)$/)
    await expect(days(voice).and(voice.locator('[aria-hidden] *'))).toBeVisible()
    for (const page of [voiceTile, filmTile]) {
      await button(page, 'Conversation options').click()
      await button(page, 'Photos, videos and voice').click()
    }
    await button(voiceTile, /^Play voice message, /).click()
    await button(filmTile, /^Play video, .* from You/).click()
    await log(film)
      .getByRole('button', { name: /^Play video/ })
      .click()
    await log(voice).getByRole('button', { name: 'Play', exact: true }).click()
    for (const page of pages) await expect.poll(() => playingIn(page)).toEqual([true])

    await pass(idOf(ada.page), pages, 301_000)
    for (const page of pages) {
      await expect(log(page).getByText('2 messages vanished')).toBeAttached()
      await expect.poll(() => leftIn(page)).toEqual({ playing: 0, urls: [] })
      await expect(days(page)).toHaveCount(0)
      await expect(page.locator('video, audio')).toHaveCount(0)
      await expect(page.getByRole('dialog', { name: 'Video', exact: true })).toHaveCount(0)
    }
    for (const page of [voiceTile, filmTile])
      await expect(page.getByRole('dialog', { name: 'Photos, videos and voice' })).toContainText(
        'No media yet',
      )
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'an answer that is begun outlives the vanished message and quotes nothing of it, and an edit that is begun ends',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await setTimer(ada.page, '5 minutes')
    await send(ada, 'Soon gone')
    await openChat(ben, ada)
    await setTimer(ben.page, 'Off')
    await choose(ben.page, 'Soon gone', 'Reply')
    const bar = ben.page.getByRole('group', { name: 'Reply' })
    await expect(bar).toContainText('Soon gone')
    await box(ben.page).fill('An answer')
    await box(ada.page).fill('A draft')
    await choose(ada.page, 'Soon gone', 'Edit')
    await ada.page.getByLabel('Edited message').fill('Soon gone, edited')
    for (const page of [ada.page, ben.page]) await waitUntilKept(page)
    await pass(idOf(ada.page), [ada.page, ben.page], 301_000)

    await test.step('the edit ends with a word, and the draft is back', async () => {
      await expect(ada.page.getByText('This message has vanished.', { exact: true })).toBeVisible()
      await expect(box(ada.page)).toHaveValue('A draft')
      await expect(ada.page.getByText(/Soon gone/)).toHaveCount(0)
      await openAnew(ada, ben)
      await expect(box(ada.page)).toHaveValue('A draft')
    })

    await test.step('the answer stays, also on a new page', async () => {
      await expect(bar).toContainText('Message vanished')
      await expect(ben.page.getByText('Soon gone')).toHaveCount(0)
      await ben.picture('reply-to-vanished')
      await openAnew(ben, ada)
      await expect(bar).toContainText('Message vanished')
      await expect(box(ben.page)).toHaveValue('An answer')
    })

    await test.step('both see that it answers a vanished message', async () => {
      await button(ben.page, 'Send').tap()
      await expect(bar).toHaveCount(0)
      for (const page of [ada.page, ben.page])
        await expect(bubble(page, 'An answer').getByRole('button', { name: /^Answer to/ })).toContainText(
          'Message vanished',
        )
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

/** Returns the time and the receipt of the newest message as they are stored. */
async function newestOf(conversationId: string) {
  const found = await withDatabase(await sharedStack(), 'messaging', (database) =>
    database
      .collection<{ vanishMs?: number; createdAt: Date }>('messages')
      .find({ conversationId })
      .sort({ seq: -1 })
      .limit(1)
      .toArray(),
  )
  return { vanishMs: found[0]?.vanishMs, createdAtMs: found[0]?.createdAt.getTime() ?? 0 }
}

test(
  'a message that waits over a reload and a lock keeps the time it was sent with, which runs from its receipt on',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page, context } = ada
    const id = idOf(page)
    await setTimer(page, '1 day')
    await context.route('**/api/messages', (route) => route.abort())
    await send(ada, 'It waits')
    const waiting = log(page).getByText('vanishes 1 day after sending', { exact: true })
    await expect(waiting).toBeAttached()
    await waitUntilKept(page)
    await openChat(ben, ada)
    await setTimer(ben.page, '5 minutes')
    await expect(log(page).getByText(/set messages to vanish after 5 minutes/)).toBeVisible()
    await expect(waiting).toBeAttached()

    await page.reload()
    await expect(waiting).toBeAttached()
    await pressEscapeTwice(page)
    await expect(button(page, '=')).toBeVisible()
    await unlockOnKeypad(ada)
    await openChat(ada, ben)
    await expect(waiting).toBeAttached()
    await expect(log(page).getByText(/set messages to vanish after 5 minutes/)).toBeVisible()

    const releasedAtMs = Date.now()
    await context.unroute('**/api/messages')
    await context.setOffline(true)
    await context.setOffline(false)
    await expect(log(page).getByText(/vanishes 1 day after sending: (1 day|23 hours) left/)).toBeAttached()
    await expect(log(ben.page).getByText(/vanishes 1 day after reading: /)).toBeAttached()
    const { vanishMs, createdAtMs } = await newestOf(id)
    expect(vanishMs).toBe(86_400_000)
    // Both run on this machine.
    expect(createdAtMs).toBeGreaterThanOrEqual(releasedAtMs)
    await Promise.all([ada, ben].map(({ context: one }) => one.close()))
  },
)

test(
  'of two who set the timer at once the later one sees what the other chose, and can choose again',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await openChat(ben, ada)
    for (const { page } of [ada, ben]) await openTimer(page)
    const held = Promise.withResolvers<Route>()
    await ben.page.route('**/timer', (route) => held.resolve(route), { times: 1 })
    await chooseTimer(ben.page, '1 week')
    const route = await held.promise
    await chooseTimer(ada.page, '1 day')
    await expect(timerDialog(ada.page)).toBeHidden()

    const answered = ben.page.waitForResponse('**/timer')
    await route.continue()
    expect((await answered).status()).toBe(409)
    const dialog = timerDialog(ben.page)
    await expect(dialog.getByRole('status')).toHaveText(
      `${ada.username} changed it meanwhile. It is now 1 day.`,
    )
    await expect(dialog.getByRole('radio', { name: '1 week' })).toBeChecked()
    await ben.picture('timer-replaced')
    for (const { page } of [ada, ben])
      await expect(log(page).getByText(/set messages to vanish after 1 day/)).toBeAttached()

    await dialog.getByRole('button', { name: 'Save' }).tap()
    await expect(dialog).toBeHidden()
    await expect(log(ben.page).getByText(/^You set messages to vanish after 1 week/)).toBeVisible()
    await expect(log(ada.page).getByText(/set messages to vanish after 1 week/)).toBeVisible()
    await expect(log(ada.page).getByText(/set messages to vanish after 1 day/)).toHaveCount(0)
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

/** Lets a page sleep for a while, in which no timer runs, and returns what its first frame afterwards shows. */
const firstFrameAfter = (page: Page, { ms, event }: { ms: number; event: string }) =>
  page.evaluate(
    async ({ sleptMs, wakes }) => {
      const wall = Date.now.bind(Date)
      Date.now = () => wall() + sleptMs
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => false })
      const target = wakes === 'visibilitychange' ? document : window
      target.dispatchEvent(new Event(wakes))
      await new Promise(requestAnimationFrame)
      return document.body.innerText
    },
    { sleptMs: ms, wakes: event },
  )

test(
  'a page that has slept shows nothing that is over, not for one frame',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    await send(ada, 'It stays')
    await setTimer(ada.page, '30 seconds')
    await openChat(ben, ada)
    for (const event of ['visibilitychange', 'focus', 'pageshow']) {
      const text = `Gone on ${event}`
      await send(ada, text)
      const { page } = ben
      await expect(log(page).getByText(text)).toBeVisible()
      await expect(log(page).getByText(/vanishes 30 seconds after reading: /)).toHaveCount(1)
      if (event === 'visibilitychange') await setHidden(page, true)
      await pass(idOf(page), [], 31_000)
      const shown = await firstFrameAfter(page, { ms: 31_000, event })
      expect(shown).toContain('It stays')
      expect(shown).not.toContain(text)
      await expect(log(page).getByText(/messages? vanished/i)).toBeVisible()
    }
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
