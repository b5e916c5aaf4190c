import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import {
  bytes,
  close,
  closed,
  film,
  hasLeft,
  idOf,
  log,
  openChat,
  openTwo,
  opened,
  sendOnce,
  view,
  viewer,
} from './once-steps.ts'
import { callApi, unlockOnKeypad } from './person.ts'
import type { Visitor } from './person.ts'
import { locksIn } from './stored-entries.ts'
import { storedIn } from './stored-media.ts'

/** Opens the chat of a page in a second tab, which the unlock of the session covers, too. */
async function openTab({ context, page }: Visitor): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(page.url())
  await expect(tab.getByLabel('Message', { exact: true })).toBeVisible()
  return tab
}

test(
  'of two tabs of one person one opens it, and the other says so',
  { tag: ['@full', '@desktop'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openTwo(browser, project.name)
    // Without receipts, no event tells the other tab.
    await callApi(ben, '/api/conversation-preferences', { showsRead: false }, 'PUT')
    await sendOnce(ada)
    const tab = await openTab(ben)
    const posts: string[] = []
    ben.context.on('request', (call) => {
      if (call.url().endsWith('/open') && call.method() === 'POST') posts.push(call.url())
    })
    const release = Promise.withResolvers<undefined>()
    await ben.page.route('**/open', async (route) => {
      await release.promise
      await route.continue()
    })

    await test.step('while the first one opens and shows it', async () => {
      await Promise.all([ben.page.waitForRequest('**/open'), closed(ben.page).click()])
      await closed(tab).click()
      await expect(log(tab).getByText('Open in another tab.')).toBeVisible()
      release.resolve(undefined)
      await expect(viewer(ben.page).getByRole('img')).toBeVisible()
      await expect(viewer(ben.page).getByText('Loading photo...')).toBeHidden()
      await closed(tab).click()
      await expect(log(tab).getByText('Open in another tab.')).toBeVisible()
      await expect(viewer(tab)).toHaveCount(0)
      expect(posts).toHaveLength(1)
    })

    await test.step('once the first one has closed it', async () => {
      await close(ben.page)
      await expect(opened(ben.page)).toBeVisible()
      // The page holds the message until the server has confirmed its end.
      await expect.poll(async () => (await locksIn(tab)).join()).not.toContain('calc.o ')
      await closed(tab).click()
      await expect(log(tab).getByText('Opened on another device or in another tab')).toBeVisible()
      await expect(viewer(tab)).toHaveCount(0)
    })

    await test.step('with receipts the other one shows it by itself', async () => {
      await callApi(ben, '/api/conversation-preferences', { showsRead: true }, 'PUT')
      await sendOnce(ada)
      await expect(closed(tab)).toBeVisible()
      await view(ben.page)
      await expect(closed(tab)).toHaveCount(0)
      await expect(opened(tab)).toBeVisible()
    })

    await test.step('the calculator in a tab is the lock of both, and ends what is open', async () => {
      await tab.goto('/')
      await hasLeft(ben.page)
      await expect(opened(ada.page)).toBeVisible()
      const second = { ...ben, page: tab }
      await unlockOnKeypad(second)
      await openChat(second, ada)
      await expect(opened(tab)).toHaveCount(2)
      await hasLeft(ben.page)
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'after Back, a reload and a closing without a network it is gone',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openTwo(browser, project.name)
    const id = idOf(ben)
    const sendAndView = async () => {
      await sendOnce(ada)
      await expect(closed(ben.page)).toBeVisible()
      const { mediaUrl } = (await storedIn(ben, id)).at(-1) ?? {}
      await view(ben.page)
      expect(await bytes(ben, mediaUrl ?? '')).toBe(200)
      return () => bytes(ben, mediaUrl ?? '')
    }

    await test.step('Back', async () => {
      const status = await sendAndView()
      await ben.page.goBack()
      await expect(ben.page.getByRole('link', { name: new RegExp(`^${ada.username}`) })).toBeVisible()
      await expect(ben.page.getByRole('img', { name: 'Photo' })).toHaveCount(0)
      await expect.poll(status).toBe(404)
      await openChat(ben, ada)
      await expect(opened(ben.page)).toHaveCount(1)
    })

    await test.step('a reload', async () => {
      const status = await sendAndView()
      await ben.page.reload()
      await expect(opened(ben.page)).toHaveCount(2)
      await expect(viewer(ben.page)).toHaveCount(0)
      await expect.poll(status).toBe(404)
    })

    await test.step('a closing without a network, once it is back', async () => {
      const status = await sendAndView()
      await ben.context.setOffline(true)
      const isLost = ben.page.waitForEvent('requestfailed', (call) => call.url().endsWith('/open'))
      await close(ben.page)
      await expect(opened(ben.page)).toHaveCount(3)
      await isLost
      expect(await status()).toBe(200)
      await ben.context.setOffline(false)
      await expect.poll(status).toBe(404)
    })
    for (const { page } of [ada, ben]) await expect(opened(page)).toHaveCount(3)
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)

test(
  'the browser offers no way to keep what opens once',
  { tag: '@full' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openTwo(browser, project.name)
    const { page } = ben

    await test.step('a picture', async () => {
      await sendOnce(ada)
      await view(page)
      const picture = viewer(page).getByRole('img')
      const shown = await picture.evaluate((element: HTMLImageElement) => {
        const isPrevented = (type: string) =>
          !element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }))
        const { userSelect } = getComputedStyle(element)
        return { prevented: ['contextmenu', 'dragstart'].map(isPrevented), userSelect }
      })
      expect(shown).toEqual({ prevented: [true, true], userSelect: 'none' })
      const src = await picture.getAttribute('src')
      const opens = () =>
        page.evaluate(
          (url) =>
            new Promise((resolve) => {
              const image = new Image()
              image.onload = () => resolve(true)
              image.onerror = () => resolve(false)
              image.src = url
            }),
          src ?? '',
        )
      expect(await opens()).toBe(true)
      await close(page)
      await expect(opened(page)).toHaveCount(1)
      expect(await opens()).toBe(false)
    })

    await test.step('a film', async () => {
      await sendOnce(ada, film)
      await closed(page, 'Video').click()
      const player = viewer(page, 'Video').locator('video')
      await expect(viewer(page, 'Video').getByRole('slider').first()).toBeVisible()
      const offered = await player.evaluate((video: HTMLVideoElement) => ({
        ...{ controls: video.controls, isInPicture: !video.disablePictureInPicture },
        isRemote: !(video as HTMLVideoElement & { disableRemotePlayback: boolean }).disableRemotePlayback,
        // A lock screen shows this.
        named: [navigator.mediaSession.metadata, document.title],
      }))
      expect(offered).toEqual({
        ...{ controls: false, isInPicture: false, isRemote: false },
        named: [null, 'Calculator'],
      })
      await close(page, 'Video')
      await expect(page.locator('video')).toHaveCount(0)
    })
    await Promise.all([ada, ben].map(({ context }) => context.close()))
  },
)
