import { address, button, inDialog, typed } from './flee-ways.ts'
import type { Way } from './flee-ways.ts'

/** The sign-in stands over the menu of the calculator and its form is filled. */
export const signIn: Way = async (page) => {
  await button(page, 'Menu').click()
  await button(page, 'Settings').click()
  await page.getByLabel('Username').first().fill(typed.text)
  await page.getByLabel('Password', { exact: true }).first().fill(typed.text)
}

export const forgotten: Way = async (page) => {
  await signIn(page)
  await button(page, 'Forgot Password?').click()
  await page.getByRole('dialog').getByLabel('Email').fill(typed.text)
}

export const legalOfSignIn: Way = async (page) => {
  await signIn(page)
  await button(page, 'Privacy Policy').click()
  await inDialog(page)
}

export const newPassword: Way = async (page) => {
  await address('/reset-password?token=none')(page)
  await page.getByLabel('New Password', { exact: true }).fill(typed.text)
}
