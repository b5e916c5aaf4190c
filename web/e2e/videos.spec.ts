import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { sendFiles } from './choose-files.ts'
import { openStudio } from './film-page.ts'
import type { Studio } from './film-page.ts'
import { callApi, openPair } from './person.ts'
import type { Visitor } from './person.ts'
import { refusalsIn } from './policy.ts'
import { sentSize } from './sent-size.ts'
import { setHidden } from './set-hidden.ts'
import { sendPlain, storedIn, storedObject } from './stored-media.ts'

let studio: Studio
test.beforeAll(async ({ browser }) => {
  studio = await openStudio(browser)
})
test.afterAll(() => studio.close())

const videos = (page: Page) => page.getByRole('button', { name: 'Play video' })
const shown = (page: Page) => page.getByRole('dialog', { name: 'Video' }).locator('video')
const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(username) }).click()
const idOf = ({ page }: Visitor) => page.url().split('/').at(-1) as string
const plainVideo = (visitor: Visitor) => ({ conversationId: idOf(visitor), messageType: 'video' as const })

async function send({ page }: Visitor, path: string) {
  await sendFiles(page, path)
}

/** Plays the newest video until it has shown this many seconds; resolves to the state of the element. */
async function play(page: Page, untilS: number) {
  await videos(page).last().click()
  return shown(page).evaluate(
    (video: HTMLVideoElement, until) =>
      new Promise<{ width: number; height: number; seconds: number }>((resolve, reject) => {
        const look = () => {
          if (video.currentTime < until) return
          resolve({ width: video.videoWidth, height: video.videoHeight, seconds: video.duration })
        }
        video.addEventListener('timeupdate', look)
        video.addEventListener('ended', look)
        video.addEventListener('error', () => reject(new Error(video.error?.message)))
        look()
      }),
    untilS,
  )
}

const close = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

test(
  'CHAT-13 VAL-28: a video crosses from the gallery button to the other phone, sealed, and plays there',
  { tag: '@phone' },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const refused = refusalsIn(ada.page, ben.page)
    const id = idOf(ada)
    await openChat(ben, ada)
    const { path } = await studio.film({ container: 'mov', rotation: 90, mark: 'MARK', seconds: 8 })
    await send(ada, path)
    await expect(videos(ben.page)).toHaveCount(1)
    await expect(videos(ben.page).getByRole('img')).toHaveAttribute('src', /^blob:/)
    await expect(videos(ben.page)).toContainText('0:08')
    await expect(ben.page.getByText('Not encrypted')).toBeHidden()
    await ada.picture('video-sent')
    await ben.picture('video-received')

    await test.step('what the server holds is sealed', async () => {
      expect((await storedIn(ada, id))[0]).toMatchObject({ messageType: 'video', sealed: { v: 1 } })
      const object = await storedObject(ben, id)
      expect(object.subarray(0, 3).toString('latin1')).toBe('SL1')
      for (const text of ['MARK', 'ftyp', 'moof']) expect(object.includes(text)).toBe(false)
    })

    await test.step('it plays, turned as it was, and leaves nothing when it is closed', async () => {
      const loaded: URL[] = []
      ben.page.on('response', (response) => {
        if (/\/assets\/.*\.js$/.test(response.url())) loaded.push(new URL(response.url()))
      })
      const { width, height, seconds } = await play(ben.page, 1)
      const element = await shown(ben.page).elementHandle()
      // The calculator covers the hidden page, so no sound may go on behind it.
      await setHidden(ben.page, true)
      expect(await element?.evaluate(({ paused, ended }: HTMLVideoElement) => ({ paused, ended }))).toEqual({
        paused: true,
        ended: false,
      })
      await setHidden(ben.page, false)
      await ben.picture('video-plays')
      expect([width, height]).toEqual([48, 64])
      expect(Math.abs(seconds - 8)).toBeLessThan(0.1)
      const isLibrary = async (url: URL) =>
        (await (await ben.context.request.get(url.href)).text()).includes('tfdt')
      const found = await Promise.all(loaded.map(async (url) => ((await isLibrary(url)) ? [url] : [])))
      const library = found.flat()
      expect(library).toHaveLength(1)
      const { encoding, bytes } = await sentSize(library[0] as URL)
      expect(encoding).toBe('gzip')
      expect(bytes).toBeLessThanOrEqual(85_000)
      expect(await (await ben.context.request.get('/sw.js')).text()).not.toContain(library[0]?.pathname)
      await close(ben.page)
      await expect
        .poll(() =>
          element?.evaluate((video: HTMLVideoElement) => video.paused && !video.getAttribute('src')),
        )
        .toBe(true)
    })

    await test.step('the list names it', async () => {
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(ben.page.getByText('Video', { exact: true })).toBeVisible()
      await openChat(ben, ada)
    })

    await test.step('a lock during playback ends it', async () => {
      await play(ben.page, 0.5)
      const element = await shown(ben.page).elementHandle()
      await callApi(ben, '/api/lock')
      await expect(ben.page.getByRole('dialog', { name: 'Video' })).toBeHidden()
      await expect(ben.page.getByRole('log')).toBeHidden()
      const isOver = await element
        ?.evaluate((video: HTMLVideoElement) => video.paused && !video.getAttribute('src'))
        // The page was replaced together with the element.
        .catch(() => true)
      expect(isOver).toBe(true)
    })
    expect(refused).toEqual([])
  },
)

test(
  'a video of an API client with its index at the end plays in ranges; a jump fetches what is there only',
  {
    tag: '@desktop',
  },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const noise = { width: 320, height: 240, seconds: 1, bitsPerSecond: 4_000_000 }
    const { bytes } = await studio.film({ container: 'mp4', repeat: 60, ...noise })
    expect(bytes.length).toBeGreaterThan(10_000_000)
    await sendPlain(ben, plainVideo(ada), bytes)
    await expect(videos(ada.page)).toHaveCount(1)
    await expect(ada.page.getByRole('button', { name: 'Not encrypted' })).toBeVisible()

    let fetched = 0
    ada.page.on('response', (response) => {
      if (response.url().includes('/api/objects/')) fetched += Number(response.headers()['content-length'])
    })
    await play(ada.page, 0.5)
    expect(fetched).toBeLessThan(bytes.length * 0.8)
    const at = await shown(ada.page).evaluate(
      (video: HTMLVideoElement) =>
        new Promise<number>((resolve) => {
          video.currentTime = 55
          video.addEventListener('seeked', () => resolve(video.currentTime))
        }),
    )
    expect(Math.floor(at)).toBe(55)
    await shown(ada.page).evaluate(
      (video: HTMLVideoElement) =>
        video.ended || new Promise((resolve) => video.addEventListener('ended', resolve)),
    )
    expect(fetched).toBeLessThan(bytes.length)
    await close(ada.page)

    await test.step('an HTML file named as a video is not shown', async () => {
      await sendPlain(ben, plainVideo(ada), Buffer.from('<html><script>alert(1)</script></html>'))
      await expect(videos(ada.page)).toHaveCount(2)
      await videos(ada.page).last().click()
      await expect(ada.page.getByText('This file can’t be shown (38 bytes)')).toBeVisible()
      await close(ada.page)
    })

    await test.step('a film that is wider than a film may be is not shown either', async () => {
      const wide = await studio.film({ container: 'webm', width: 4098, height: 16, seconds: 1 })
      await sendPlain(ben, plainVideo(ada), wide.bytes)
      await expect(videos(ada.page)).toHaveCount(3)
      await videos(ada.page).last().click()
      await expect(ada.page.getByText(/^This file can’t be shown \(\d+ kB\)/)).toBeVisible()
    })
  },
)

test(
  'without MediaSource a short video plays as a whole, and a long one says that it cannot',
  {
    tag: '@desktop',
  },
  async ({ browser }, { project }) => {
    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    await page.evaluate(() =>
      Object.assign(window, { ManagedMediaSource: MediaSource, MediaSource: undefined }),
    )
    await send(ada, (await studio.film({ container: 'webm', seconds: 2 })).path)
    await expect(videos(page)).toHaveCount(1)
    await play(page, 1)
    await close(page)
    await page.evaluate(() => Object.assign(window, { ManagedMediaSource: undefined }))
    await play(page, 1)
    await close(page)
    const noise = { width: 320, height: 240, seconds: 1, bitsPerSecond: 4_000_000 }
    await send(ada, (await studio.film({ container: 'mp4', repeat: 60, ...noise })).path)
    await expect(videos(page)).toHaveCount(2)
    await videos(page).last().click()
    await expect(page.getByText('This phone can’t play videos this long here')).toBeVisible()
  },
)
