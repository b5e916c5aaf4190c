import { createHash } from 'node:crypto'
import { expect, test as playwright } from '@playwright/test'
import type { Page } from '@playwright/test'
import { sendFiles } from './choose-files.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import type { CuttingProxy } from './cutting-proxy.ts'
import { openStudio } from './film-page.ts'
import type { Studio } from './film-page.ts'
import { openPair } from './person.ts'
import { storedObject } from './stored-media.ts'

const largest = 52_428_800

let studio: Studio
let path: string
playwright.beforeAll(async ({ browser }) => {
  studio = await openStudio(browser)
  const noise = { container: 'mp4', width: 640, height: 480, seconds: 1, bitsPerSecond: 8_000_000 } as const
  const second = (await studio.film({ ...noise, repeat: 1 })).bytes.length
  const film = await studio.film({ ...noise, repeat: Math.floor((largest - 100_000) / second) })
  expect(film.bytes.length).toBeGreaterThan(48_000_000)
  expect(film.bytes.length).toBeLessThanOrEqual(largest)
  path = film.path
})
playwright.afterAll(() => studio.close())

const videos = (page: Page) => page.getByRole('button', { name: 'Play video' })

const test = playwright.extend<{ uploads: CuttingProxy }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the needs of a fixture from this pattern
  uploads: async ({}, provide) => {
    const proxy = await startCuttingProxy()
    await provide(proxy)
    proxy.close()
  },
  proxy: async ({ uploads }, provide) => provide({ server: uploads.server, bypass: '<-loopback>' }),
})

test.describe('a video of 50 MB', { tag: '@desktop' }, () => {
  test('survives three cut connections byte for byte, and a text goes past it', async ({ browser, uploads }, {
    project,
  }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const id = page.url().split('/').at(-1) as string
    const sent = await page.evaluateHandle(() => {
      const blobs: Blob[] = []
      const { send } = XMLHttpRequest.prototype
      XMLHttpRequest.prototype.send = function (body) {
        if (body instanceof Blob) blobs.push(body)
        return send.call(this, body)
      }
      return blobs
    })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    for (const after of [1_000_000, 20_000_000, 40_000_000]) uploads.fates.push({ after, then: 'cut' })
    uploads.fates.push({ after: 10_000_000, then: held })

    await sendFiles(page, path)
    await expect.poll(uploads.uploads, { timeout: 120_000 }).toBe(4)

    await test.step('a text is stored while the upload waits', async () => {
      const began = Date.now()
      await page.getByRole('textbox', { name: 'Message' }).fill('while it goes up')
      await page.getByRole('button', { name: 'Send' }).click()
      await expect(page.getByRole('article').filter({ hasText: 'while it goes up' })).toBeVisible()
      await expect(page.getByText('sending…')).toHaveCount(0)
      console.log(`A text beside the upload was stored after ${Date.now() - began} ms.`)
      await expect(page.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
      release()
    })

    await expect(videos(page)).toHaveCount(1)
    const object = await storedObject(ben, id)
    const whole = await sent.evaluate(async (blobs) => {
      const hash = await crypto.subtle.digest(
        'SHA-256',
        (await blobs.at(-1)?.arrayBuffer()) ?? new ArrayBuffer(),
      )
      return { size: blobs.at(-1)?.size, hash: [...new Uint8Array(hash)] }
    })
    expect(object.length).toBe(whole.size)
    expect([...createHash('sha256').update(object).digest()]).toEqual(whole.hash)

    await test.step('it plays from its beginning and to its end', async () => {
      await ben.page.getByRole('link', { name: new RegExp(ada.username) }).click()
      await expect(videos(ben.page)).toHaveCount(1)
      const began = Date.now()
      await videos(ben.page).click()
      const video = ben.page.getByRole('dialog', { name: 'Video' }).locator('video')
      await video.evaluate(
        (element: HTMLVideoElement) =>
          element.readyState >= 2 ||
          new Promise((resolve) => element.addEventListener('loadeddata', resolve)),
      )
      console.log(`The first picture was there after ${Date.now() - began} ms.`)
      await video.evaluate(
        (element: HTMLVideoElement) =>
          new Promise((resolve) => {
            element.currentTime = element.duration - 0.5
            element.addEventListener('ended', resolve)
          }),
      )
    })
  })
})
