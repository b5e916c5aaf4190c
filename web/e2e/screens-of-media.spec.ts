import { expect, test } from '@playwright/test'
import { check, looks } from './check-screen.ts'
import { chooseFiles, previewOf } from './choose-files.ts'
import { openStudio } from './film-page.ts'
import { openPair } from './person.ts'
import { draw } from './picture-page.ts'

test(
  'the screens of pictures in five sizes and themes',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    const photo = page.getByRole('button', { name: 'Open photo' })
    const buffer = Buffer.from(await draw(page, { width: 900, height: 600, type: 'image/jpeg' }))
    await chooseFiles(page, { name: 'holiday.jpg', mimeType: 'image/jpeg', buffer })
    await expect(previewOf(page).getByRole('img', { name: 'Photo' })).toBeVisible()
    await check(page, '80-photo-chosen', looks)
    await previewOf(page).getByRole('button', { name: 'Send' }).click()
    await expect(photo.getByRole('img')).toHaveAttribute('src', /^blob:/)
    await check(page, '81-photo-sent', looks)
    await photo.click()
    await expect(page.getByRole('dialog', { name: 'Photo' }).getByRole('img')).toBeVisible()
    await check(page, '82-photo-open', looks)
    await page.keyboard.press('Escape')
    await page.goto('/settings')
    await expect(page.getByRole('meter', { name: 'Media storage' })).toBeVisible()
    await check(page, '83-storage', looks)
    await ada.context.close()
  },
)

test(
  'the screens of videos in five sizes and themes',
  { tag: '@desktop' },
  async ({ browser }, { project }) => {
    const studio = await openStudio(browser)
    const { path } = await studio.film({ container: 'mp4', width: 640, height: 360, seconds: 2 })

    const [ada] = await openPair(browser, project.name, { isPremium: true })
    const { page } = ada
    await chooseFiles(page, path)
    await expect(previewOf(page).getByRole('img', { name: 'Video' })).toHaveAttribute('src', /^blob:/)
    await check(page, '84-video-chosen', looks)
    await previewOf(page).getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('button', { name: 'Play video' }).getByRole('img')).toHaveAttribute(
      'src',
      /^blob:/,
    )
    await check(page, '85-video-sent', looks)
    await page.getByRole('button', { name: 'Play video' }).click()
    const video = page.getByRole('dialog', { name: 'Video' }).locator('video')
    await video.evaluate(
      (element: HTMLVideoElement) =>
        element.ended || new Promise((resolve) => element.addEventListener('ended', resolve)),
    )
    await check(page, '86-video-open', looks)
    await studio.close()
  },
)
