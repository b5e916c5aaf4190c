import { expect, test } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { faultsOf } from './check-screen.ts'
import { chooseFiles, previewOf } from './choose-files.ts'
import {
  bytes,
  chooseOnce,
  close,
  closed,
  film,
  hasLeft,
  idOf,
  log,
  openChat,
  openTwo,
  opened,
  pictureOf,
  sendOnce,
  view,
  viewer,
} from './once-steps.ts'
import { acceptTerms, callApi, openVisitor, password, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { refusalsIn } from './policy.ts'
import { storedIn } from './stored-media.ts'
import { activate } from './tab-to.ts'
import { pressEscapeTwice } from './timed-input.ts'
import { strokeByTouch } from './touch.ts'

test(
  'a picture, a film and a voice message open once on the other phone, and both phones then say so',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openTwo(browser, project.name)
    const refused = refusalsIn(ada.page, ben.page)
    const id = idOf(ada)
    let mediaUrl = ''

    await test.step('the sender keeps nothing, and nobody gets bytes before the opening', async () => {
      await sendOnce(ada)
      await expect(log(ada.page).getByText('Photo · view once')).toBeVisible()
      await expect(closed(ben.page)).toBeVisible()
      expect(await storedIn(ada, id)).toMatchObject([{ messageType: 'image', mediaUrl: null, content: '' }])
      const [message] = await storedIn(ben, id)
      mediaUrl = message?.mediaUrl ?? ''
      expect(mediaUrl).toMatch(/^\/api\/objects\//)
      for (const visitor of [ada, ben]) expect(await bytes(visitor, mediaUrl)).toBe(404)
    })

    await test.step('it still opens after a reload, over the whole window and without a way to save it', async () => {
      await ben.page.reload()
      await view(ben.page)
      await ben.picture('once-viewer')
      await expect(viewer(ben.page).getByText('Gone when you close it')).toBeVisible()
      await expect(viewer(ben.page).getByRole('button')).toHaveCount(1)
      expect(await bytes(ben, mediaUrl)).toBe(200)
      expect(await bytes(ada, mediaUrl)).toBe(404)
      await expect(opened(ada.page)).toBeVisible()
    })

    await test.step('when it is closed it is gone, also after a reload', async () => {
      await close(ben.page)
      await expect.poll(() => bytes(ben, mediaUrl)).toBe(404)
      for (const { page } of [ada, ben]) {
        await expect(opened(page)).toHaveCount(1)
        await page.reload()
        await expect(opened(page)).toHaveCount(1)
      }
      expect(await storedIn(ben, id)).toMatchObject([{ mediaUrl: null, content: '' }])
    })

    await test.step('a film', async () => {
      await sendOnce(ada, film)
      await closed(ben.page, 'Video').click()
      await expect(viewer(ben.page, 'Video').getByRole('slider').first()).toBeVisible()
      await close(ben.page, 'Video')
      for (const { page } of [ada, ben]) await expect(opened(page)).toHaveCount(2)
    })

    await test.step('a voice message', async () => {
      await ada.context.grantPermissions(['microphone'])
      await ada.page.getByRole('button', { name: 'Record a voice message' }).click()
      await ada.page.getByRole('button', { name: 'View once' }).click()
      // The message is long enough to see its position move.
      await expect(ada.page.getByRole('timer', { name: 'Recorded' })).toHaveText(/0:(0[4-9]|[1-5]\d)/)
      await ada.picture('once-recording')
      await ada.page.getByRole('button', { name: 'Send', exact: true }).click()
      await closed(ben.page, 'Voice message').click()
      const voice = viewer(ben.page, 'Voice message')
      await expect(voice.getByRole('slider', { name: 'Position' })).toHaveAttribute(
        'aria-valuetext',
        /^0:0[1-9]/,
      )
      await ben.picture('once-voice')
      await close(ben.page, 'Voice message')
      for (const { page } of [ada, ben]) await expect(opened(page)).toHaveCount(3)
    })

    await test.step('the list names it', async () => {
      await sendOnce(ada)
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(ben.page.getByText('Photo · view once')).toBeVisible()
      await openChat(ben, ada)
      await view(ben.page)
      await close(ben.page)
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      const row = ben.page.getByRole('link', { name: new RegExp(`^${ada.username}`) })
      await expect(row.getByText('Opened')).toBeVisible()
    })
    expect(refused).toEqual([])
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)

/** Opens the same person on another phone, in the same chat. */
async function openOther(browser: Browser, project: string, of: Visitor, partner: Visitor): Promise<Visitor> {
  const { context, page, picture } = await openVisitor(browser, project, 'other', of.pin)
  await callApi({ context }, '/api/login', { username: of.username, password })
  await page.goto('/')
  const other = { ...of, context, page, picture }
  await acceptTerms(other)
  await unlockOnKeypad(other)
  await openChat(other, partner)
  return other
}

test(
  'of two phones the first one opens it; without a network nothing is lost; without receipts the sender learns nothing',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openTwo(browser, project.name)
    await sendOnce(ada)
    const other = await openOther(browser, project.name, ben, ada)
    await expect(closed(other.page)).toBeVisible()

    await test.step('offline it says so', async () => {
      await ben.context.setOffline(true)
      await closed(ben.page).click()
      await expect(log(ben.page).getByText(/^No connection\. Nothing is lost/)).toBeVisible()
      await ben.context.setOffline(false)
      await expect(closed(ben.page)).toBeVisible()
    })

    await test.step('another phone', async () => {
      await other.page.route('**/open', (route) => route.abort())
      await closed(other.page).click()
      await expect(log(other.page).getByText(/^No connection\. Nothing is lost/)).toBeVisible()
      await other.page.unroute('**/open')
      await view(ben.page)
      await closed(other.page).click()
      await expect(log(other.page).getByText(/^Opened on another device/)).toBeVisible()
      await close(ben.page)
      await expect(opened(ada.page)).toHaveCount(1)
    })

    await test.step('without receipts the sender is told nothing, also after a reload', async () => {
      await callApi(ben, '/api/conversation-preferences', { showsRead: false }, 'PUT')
      await sendOnce(ada)
      await view(ben.page)
      await close(ben.page)
      await expect(opened(ben.page)).toHaveCount(2)
      await ada.page.reload()
      await expect(log(ada.page).getByText('Photo · view once')).toBeVisible()
      await expect(opened(ada.page)).toHaveCount(1)
    })
    await Promise.all([ada, ben, other].map(({ context }) => context.close()))
  },
)

const waysOut: [string, (page: Page) => Promise<void>][] = [
  ['a quick stroke', (page) => strokeByTouch(page, { from: { x: 195, y: 420 }, byX: 160 })],
  ['Escape twice', pressEscapeTwice],
]
for (const [name, leave] of waysOut)
  test(
    `${name} flees from the viewer, which ends the message, and from the preview`,
    { tag: ['@full', '@phone'] },
    async ({ browser }, { project }) => {
      const [ada, ben] = await openTwo(browser, project.name)
      await sendOnce(ada)
      await view(ben.page)
      await leave(ben.page)
      await hasLeft(ben.page)
      await expect(opened(ada.page)).toBeVisible()
      await unlockOnKeypad(ben)
      await openChat(ben, ada)
      await expect(opened(ben.page)).toBeVisible()
      const [message] = await storedIn(ben, idOf(ben))
      expect(message).toMatchObject({ mediaUrl: null, content: '' })

      await chooseOnce(ada.page)
      await leave(ada.page)
      await hasLeft(ada.page)
      await unlockOnKeypad(ada)
      await openChat(ada, ben)
      await expect(log(ada.page).getByText(/view once/)).toHaveCount(0)
      await Promise.all([ada.context.close(), ben.context.close()])
    },
  )

test(
  'by the keyboard alone a picture is sent to be opened once, opened and closed',
  { tag: ['@full', '@desktop'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openTwo(browser, project.name)
    await chooseFiles(ada.page, await pictureOf(ada.page))
    await activate(ada.page, previewOf(ada.page).getByRole('button', { name: 'View once' }))
    await expect(previewOf(ada.page).getByRole('button', { name: 'View once', pressed: true })).toBeFocused()
    expect(await faultsOf(ada.page)).toEqual([])
    await activate(ada.page, previewOf(ada.page).getByRole('button', { name: 'Send', exact: true }))
    await expect(closed(ben.page)).toBeVisible()
    await activate(ben.page, closed(ben.page))
    await expect(viewer(ben.page).getByRole('img')).toBeVisible()
    await expect(viewer(ben.page).getByText('Loading photo...')).toBeHidden()
    expect(await faultsOf(ben.page)).toEqual([])
    await ben.page.keyboard.press('Escape')
    await expect(opened(ben.page)).toBeVisible()
    await expect(log(ben.page).getByRole('article')).toBeFocused()
    expect(await faultsOf(ben.page)).toEqual([])
    await Promise.all([ada.context.close(), ben.context.close()])
  },
)
