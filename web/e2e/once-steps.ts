import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { chooseFiles, previewOf } from './choose-files.ts'
import { openPair } from './person.ts'
import type { Visitor } from './person.ts'
import { draw } from './picture-page.ts'

export const film = join(import.meta.dirname, '../../testing/fixtures/media/film-plain.mp4')
/** The messages of the open chat. */
export const log = (page: Page) => page.getByRole('log')
/** A received message that is not opened yet. */
export const closed = (page: Page, name = 'Photo') =>
  log(page).getByRole('button', { name: `${name} · view once` })
export const opened = (page: Page) => log(page).getByText('Opened', { exact: true })
export const viewer = (page: Page, name = 'Photo') => page.getByRole('dialog', { name, exact: true })
export const close = (page: Page, name?: string) =>
  viewer(page, name).getByRole('button', { name: 'Close' }).click()
export const openChat = ({ page }: Visitor, { username }: Visitor) =>
  page.getByRole('link', { name: new RegExp(`^${username}`) }).click()
export const idOf = ({ page }: Visitor) => page.url().split('/').at(-1) as string

/** Opens the chat of two people on two phones. */
export async function openTwo(browser: Browser, project: string): Promise<[Visitor, Visitor]> {
  const [ada, ben] = await openPair(browser, project, { isPremium: true })
  await openChat(ben, ada)
  return [ada, ben]
}

export async function pictureOf(page: Page) {
  const bytes = await draw(page, { width: 600, height: 400, type: 'image/jpeg' })
  return { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(bytes) }
}

export async function chooseOnce(page: Page, files?: string): Promise<void> {
  await chooseFiles(page, files ?? (await pictureOf(page)))
  await previewOf(page).getByRole('button', { name: 'View once' }).click()
  await expect(previewOf(page).getByRole('paragraph')).toHaveText(/^It opens once\. A camera/)
}

export async function sendOnce({ page }: Visitor, files?: string): Promise<void> {
  await chooseOnce(page, files)
  await previewOf(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(previewOf(page)).toBeHidden()
}

export async function view(page: Page): Promise<void> {
  await closed(page).last().click()
  await expect(viewer(page).getByRole('img')).toBeVisible()
  await expect(viewer(page).getByText('Loading photo...')).toBeHidden()
}

/** Resolves to the status with which a file is answered to a person. */
export const bytes = async ({ context }: Visitor, url: string): Promise<number> =>
  (await context.request.get(url)).status()

export const hasLeft = async (page: Page) => {
  await expect(page.getByRole('button', { name: '=', exact: true })).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('img')).toHaveCount(0)
}
