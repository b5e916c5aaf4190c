import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'

export const log = (page: Page) => page.getByRole('log')
export const timerDialog = (page: Page) => page.getByRole('dialog', { name: 'Vanishing messages' })
export const idOf = (page: Page) => page.url().split('/').at(-1) as string

export async function openTimer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('button', { name: /^Vanishing messages/ }).click()
}

/** Chooses a time in the open dialog. */
export async function chooseTimer(page: Page, choice: string): Promise<void> {
  const dialog = timerDialog(page)
  await dialog.getByText(choice, { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
}

export async function setTimer(page: Page, choice: string): Promise<void> {
  await openTimer(page)
  await chooseTimer(page, choice)
  await expect(timerDialog(page)).toBeHidden()
}

/** Lets time pass for the stored messages of a conversation, and then in pages that have it open. */
export async function pass(conversationId: string, pages: readonly Page[], ms: number): Promise<void> {
  const earlier = (field: string) => ({ [field]: { $subtract: [`$${field}`, ms] } })
  await withDatabase(await sharedStack(), 'messaging', (database) =>
    database
      .collection('messages')
      .updateMany({ conversationId }, [{ $set: { ...earlier('createdAt'), ...earlier('vanishAt') } }]),
  )
  await Promise.all(pages.map((page) => passIn(page, ms)))
}

/** Lets time pass on the clocks of a page, which then comes to the front. */
const passIn = (page: Page, ms: number) =>
  page.evaluate((passedMs) => {
    const [wall, since] = [Date.now.bind(Date), performance.now.bind(performance)]
    Date.now = () => wall() + passedMs
    performance.now = () => since() + passedMs
    window.dispatchEvent(new Event('focus'))
  }, ms)
