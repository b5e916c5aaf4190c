import { expect } from '@playwright/test'
import type { FileChooser, Page } from '@playwright/test'

type Files = Parameters<FileChooser['setFiles']>[0]

/** Presses a button of the composer and answers the system's picker. */
export async function chooseFiles(
  page: Page,
  files: Files,
  button: 'Take a photo' | 'Choose a photo or video' = 'Choose a photo or video',
): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(files)
}

export const previewOf = (page: Page) => page.getByRole('dialog', { name: /^Send to/ })

/** Chooses files and sends them from the preview. */
export async function sendFiles(page: Page, files: Files): Promise<void> {
  await chooseFiles(page, files)
  await previewOf(page).getByRole('button', { name: 'Send' }).click()
  await expect(previewOf(page)).toBeHidden()
}

/** Opens the upload widget in the page by the options of the conversation. */
export async function openWidget(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('button', { name: 'Add media' }).click()
}

/** Gives a file to the open upload widget. */
export const chooseInWidget = (page: Page, files: Files): Promise<void> =>
  page.locator('.picker input[type=file]').first().setInputFiles(files)
