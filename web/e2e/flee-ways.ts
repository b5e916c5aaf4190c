import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { chooseFiles, chooseInWidget, openWidget, previewOf, sendFiles } from './choose-files.ts'
import { callApi } from './person.ts'
import { middleOf } from './touch.ts'
import type { Stroke } from './touch.ts'

/** Leads to a place from the first screen of a walker. */
export type Way = (page: Page) => Promise<unknown>

/** Walkers type these into a form before they flee. */
export const typed = { text: 'typed-before-a-flight', number: '86420' }

const media = join(import.meta.dirname, '../../testing/fixtures/media')
export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
export const inDialog = (page: Page) => expect(page.getByRole('dialog').last()).toBeVisible()
const atTitle = (page: Page) => expect(page.getByRole('heading', { level: 1 }).last()).toBeVisible()

export const stay: Way = (page) =>
  expect(page.getByRole('heading', { name: 'Secure Messages' })).toBeVisible()

export const settings: Way = async (page) => {
  await button(page, 'Settings').click()
  await expect(button(page, 'Logout')).toBeVisible()
}

/** Opens the only conversation, which stands at the head of the list. */
export const chat: Way = async (page) => {
  await page.getByRole('link', { name: /^(ada|ben)/ }).click()
  await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
}

export const fromSettings = (row: string | RegExp): Way => {
  return async (page) => {
    await settings(page)
    await button(page, row).click()
    await inDialog(page)
  }
}

export const screenOfSettings = (name: string): Way => {
  return async (page) => {
    await settings(page)
    await button(page, name).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
}

export const option = (name?: string): Way => {
  return async (page) => {
    await chat(page)
    await button(page, 'Conversation options').click()
    if (name !== undefined) await button(page, name).click()
    await inDialog(page)
  }
}

/** The search has led to a match. */
export const searched: Way = async (page) => {
  await option()(page)
  await button(page, 'Search').click()
  await page.getByRole('searchbox', { name: 'Search in this chat' }).fill('a pict')
  await expect(page.getByRole('status').filter({ hasText: /^1 of 1/ })).toBeVisible()
}

export const overview: Way = async (page) => {
  await option('Photos, videos and voice')(page)
  await expect(button(page, /^Open photo, from /).locator('img')).toHaveAttribute('src', /^blob:/)
}

export const address = (path: string): Way => {
  return async (page) => {
    await page.goto(path)
    await atTitle(page)
  }
}

export const newConversation: Way = async (page) => {
  await button(page, 'New conversation').click()
  await inDialog(page)
}

export const menuOfMessage: Way = async (page) => {
  await chat(page)
  await page
    .getByRole('log')
    .getByText('A picture')
    .dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
  await expect(page.getByRole('menu')).toBeVisible()
}

export const deletionForBoth: Way = async (page) => {
  await menuOfMessage(page)
  await page.getByRole('menuitem', { name: 'Delete for both' }).click()
  await inDialog(page)
}

export const otherReaction: Way = async (page) => {
  await menuOfMessage(page)
  await page.getByRole('menuitem', { name: 'React with another emoji' }).click()
  await inDialog(page)
}

export const editedCaption: Way = async (page) => {
  await menuOfMessage(page)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByLabel('Edited message').fill(typed.text)
}

export const photo: Way = async (page) => {
  await chat(page)
  await button(page, 'Open photo').last().click()
  await expect(page.getByRole('dialog', { name: 'Photo' }).getByRole('img')).toBeVisible()
}

export const savedPhoto: Way = async (page) => {
  await photo(page)
  await button(page, 'Save photo').click()
  await expect(page.getByRole('dialog', { name: 'Save this photo?' })).toBeVisible()
}

export const film: Way = async (page) => {
  await chat(page)
  await button(page, /^Play video/)
    .last()
    .click()
  await expect(page.getByRole('dialog', { name: 'Video' }).getByRole('slider').first()).toBeVisible()
}

export const picker: Way = async (page) => {
  await chat(page)
  await openWidget(page)
  await expect(button(page, 'browse')).toBeVisible()
}

/** The preview shows two pictures, one of them with a caption. */
export const preview: Way = async (page) => {
  await chat(page)
  await chooseFiles(
    page,
    ['photo-orientation-1.jpg', 'photo-grey.jpg'].map((name) => join(media, name)),
  )
  await previewOf(page).getByLabel('Caption').fill(typed.text)
  await expect(previewOf(page).getByRole('img', { name: 'Photo' })).toBeVisible()
}

/** A film whose sound cannot be sent. */
export const questionOfFilm: Way = async (page) => {
  await picker(page)
  await chooseInWidget(page, join(media, 'film-cinema-sound.mp4'))
  await button(page, 'Upload 1 file').click()
  await expect(page.getByRole('dialog', { name: 'Send this video?' })).toBeVisible()
}

/** Sends a media fixture about which the sender is asked nothing. */
export async function sendFilm(page: Page): Promise<void> {
  await sendFiles(page, join(media, 'film-plain.mp4'))
  await expect(button(page, /^Play video/)).toHaveCount(1)
}

export const otherDevice: Way = async (page) => {
  await screenOfSettings('Devices')(page)
  await button(page, /^Sign out /)
    .first()
    .click()
  await inDialog(page)
}

/** Logout asks a question, because a message could not be sent. */
export const logout: Way = async (page) => {
  await page.route('**/api/messages', (route) => route.abort())
  await chat(page)
  await page.getByLabel('Message', { exact: true }).fill('An unsent message')
  await button(page, 'Send').click()
  await button(page, 'Back to Messages').click()
  await settings(page)
  await button(page, 'Logout').click()
  await expect(page.getByRole('dialog', { name: 'Sign out' })).toBeVisible()
}

export const redeemed: Way = async (page) => {
  const { upgradeCode } = await callApi<{ upgradeCode: string }>(
    { context: page.context() },
    '/api/subscription/gift',
    { recipientEmail: 'gift@example.com' },
  )
  await fromSettings('Redeem code')(page)
  await page.getByLabel('Upgrade code', { exact: true }).fill(upgradeCode)
  await button(page, 'Redeem').click()
  await expect(page.getByRole('dialog', { name: 'You have Premium' })).toBeVisible()
}

/** The address leads on to the settings, whose dialog has the code. */
export const promoLink: Way = async (page) => {
  await page.goto('/redeem?code=SUMMER24')
  await expect(page.getByRole('textbox', { name: 'Promo code' })).toHaveValue('SUMMER24')
}

export const userOfAdmin: Way = async (page) => {
  await address('/admin')(page)
  await button(page, /^Manage /)
    .first()
    .click()
  await inDialog(page)
}

/** The dialog stands over the list and its field is filled. */
export const passwordOfAdmin: Way = async (page) => {
  const stale = { error: 'Please give your account password to do this.', code: 'step_up_required' }
  await page.route('**/api/admin/reports', (route) => route.fulfill({ status: 403, json: stale }))
  await address('/admin')(page)
  await page.getByLabel('Account password', { exact: true }).fill(typed.text)
  await page.unroute('**/api/admin/reports')
}

export const setUp: Way = async (page) => {
  await expect(page.getByRole('heading', { name: 'Setup Security Password' })).toBeVisible()
  for (const label of ['Security Password', 'Confirm Security Password'])
    await page.getByLabel(label, { exact: true }).fill(typed.number)
}

export const muted: Way = async (page) => {
  await chat(page)
  await button(page, 'Conversation options').click()
  await button(page, /^(Mute|Unmute)/).click()
  await expect(button(page, 'Dismiss')).toBeVisible()
}

/** A stroke to the left flees; a stroke to the right dismisses the toast. */
export const leftOverToast = async (page: Page): Promise<Stroke> => {
  const toast = page.getByRole('listitem').filter({ has: button(page, 'Dismiss') })
  return { from: await middleOf(toast), byX: -100 }
}
