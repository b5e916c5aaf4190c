import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { exifSegment, jpegSegment, withSegments } from '../test/picture-fixtures.ts'
import { chooseFiles, previewOf } from './choose-files.ts'
import { openPair } from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'
import { refusalsIn } from './policy.ts'
import { sendPlain, storedIn, storedObject } from './stored-media.ts'

const bubbles = (page: Page) => page.getByRole('log').getByRole('article')
const photos = (page: Page) => page.getByRole('button', { name: 'Open photo' })
const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(username) }).click()
const idOf = ({ page }: Visitor) => page.url().split('/').at(-1) as string

const mark = 'MARK-52.5200N'
async function markedJpeg(page: Page): Promise<Buffer> {
  const plain = await draw(page, { width: 800, height: 400, type: 'image/jpeg' })
  const segments = [exifSegment(6, 'MARK-maker', mark), jpegSegment(0xfe, 'MARK-comment')]
  return Buffer.from(withSegments(plain, segments, 'MARK-after'))
}

async function choose(
  { page }: Visitor,
  button: 'Take a photo' | 'Choose a photo or video',
  buffer: Buffer,
  name = 'holiday.jpg',
) {
  await chooseFiles(page, { name, mimeType: 'image/jpeg', buffer }, button)
}

/** Finds the sentence of the preview about a file that cannot be sent. */
const told = (page: Page, sentence: string) =>
  previewOf(page).getByRole('alert').filter({ hasText: sentence })
const pressSend = (page: Page) => previewOf(page).getByRole('button', { name: 'Send' }).click()

/** Returns the natural size of the picture in the newest bubble, once it is drawn. */
const sizeOfLast = async (page: Page) => {
  const picture = photos(page).last().getByRole('img')
  await expect(picture).toHaveAttribute('src', /^blob:/)
  return picture.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])
}

test(
  'a picture crosses from the gallery button to the other phone, upright, sealed and without its metadata',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada, ben] = await openPair(browser, project.name, { isPremium: true })
    const refused = refusalsIn(ada.page, ben.page)
    const id = idOf(ada)
    await openChat(ben, ada)

    await test.step('two taps send it; the other side sees it without a reload', async () => {
      await choose(ada, 'Choose a photo or video', await markedJpeg(ada.page))
      await ada.picture('photo-chosen')
      await pressSend(ada.page)
      await expect(photos(ben.page)).toHaveCount(1)
      // The camera stored the picture sideways; its thumbnail is upright.
      expect(await sizeOfLast(ben.page)).toEqual([160, 320])
      expect(await sizeOfLast(ada.page)).toEqual([160, 320])
      await ada.picture('photo-sent')
      await ben.picture('photo-received')
      await expect(ben.page.getByText('Not encrypted')).toBeHidden()
    })

    await test.step('what the server holds shows neither picture nor marks', async () => {
      expect((await storedIn(ada, id))[0]).toMatchObject({ messageType: 'image', sealed: { v: 1 } })
      const object = await storedObject(ben, id)
      expect(object.subarray(0, 3).toString('latin1')).toBe('SL1')
      for (const text of ['MARK', 'JFIF', 'Exif']) expect(object.includes(text)).toBe(false)
    })

    await test.step('a tap opens the whole picture, which zooms and closes by keyboard', async () => {
      await photos(ben.page).click()
      const viewer = ben.page.getByRole('dialog', { name: 'Photo' })
      const whole = viewer.getByRole('img')
      await expect(whole).toBeVisible()
      expect(await whole.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([
        400, 800,
      ])
      await ben.picture('photo-open')
      const before = (await whole.boundingBox())?.height ?? 0
      await ben.page.keyboard.press('+')
      await expect.poll(async () => (await whole.boundingBox())?.height ?? 0).toBeGreaterThan(before * 1.5)
      await ben.page.keyboard.press('Escape')
      await expect(viewer).toBeHidden()
    })

    await test.step('the list names it, and a reload shows it again', async () => {
      await ben.page.reload()
      expect(await sizeOfLast(ben.page)).toEqual([160, 320])
      await ben.page.getByRole('button', { name: 'Back to Messages' }).click()
      await expect(ben.page.getByText('Photo', { exact: true })).toBeVisible()
      await openChat(ben, ada)
    })

    await test.step('a picture of an API client is shown and marked, and an HTML file named as one is not', async () => {
      const plain = { conversationId: id, messageType: 'image' as const }
      await sendPlain(
        ben,
        plain,
        Buffer.from(await draw(ben.page, { width: 60, height: 40, type: 'image/png' })),
      )
      await expect(photos(ada.page)).toHaveCount(2)
      expect(await sizeOfLast(ada.page)).toEqual([60, 40])
      await expect(ada.page.getByText('Not encrypted')).toBeVisible()
      await sendPlain(ben, plain, Buffer.from('<html><script>alert(1)</script></html>'))
      await expect(bubbles(ada.page).filter({ hasText: 'This file can’t be shown (38 bytes)' })).toBeVisible()
    })
    expect(refused).toEqual([])
  },
)

test(
  'a picture that cannot be sent says why; an upload that breaks can be tried again or discarded',
  { tag: ['@full', '@phone'] },
  async ({ browser }, { project }) => {
    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const refused = [
      { buffer: Buffer.alloc(0), sentence: 'This file is empty. Choose another one.' },
      {
        buffer: Buffer.alloc(10_485_761, 'GIF89a'),
        sentence: 'This file is larger than 10 MB. Choose a smaller one.',
      },
      {
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        sentence: 'SVG drawings cannot be sent. Save it as PNG or JPEG and choose that file.',
      },
    ]
    for (const { buffer, sentence } of refused) {
      await choose(ada, 'Take a photo', buffer)
      await expect(told(page, sentence)).toBeVisible()
      await expect(previewOf(page).getByRole('button', { name: 'Send' })).toBeDisabled()
      await previewOf(page).getByRole('button', { name: 'Close' }).click()
      await expect(previewOf(page)).toBeHidden()
    }

    await ada.context.route('**/api/objects/*', (route) =>
      route.fulfill({ status: 501, json: { error: 'Not today.' } }),
    )
    await choose(ada, 'Choose a photo or video', await markedJpeg(page))
    await pressSend(page)
    await expect(page.getByText('Upload failed. Not today.')).toBeVisible()
    await ada.picture('upload-failed')
    await ada.context.unroute('**/api/objects/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(photos(page)).toHaveCount(1)
    expect(await sizeOfLast(page)).toEqual([160, 320])
  },
)
