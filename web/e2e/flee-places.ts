import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

export type PlaceType = 'screen' | 'viewer' | 'sheet' | 'dialog' | 'menu' | 'card' | 'form'

export interface FleePlace {
  /** A route, or the file below `web/src` that renders it. */
  source: string
  type: PlaceType
  /** Leads there from the list of an unlocked person with one conversation; a text says why nothing does. */
  open: ((page: Page) => Promise<unknown>) | string
}

const settings = (page: Page) => page.getByRole('button', { name: 'Settings' }).click()
const chat = async (page: Page) => {
  await page
    .getByRole('link', { name: /^ben|ben/ })
    .first()
    .click()
  await expect(page.getByLabel('Message', { exact: true })).toBeVisible()
}
const inDialog = (page: Page) => expect(page.getByRole('dialog').last()).toBeVisible()

const fromSettings = (...names: string[]) => {
  return async (page: Page) => {
    await settings(page)
    for (const name of names) await page.getByRole('button', { name, exact: true }).click()
    await inDialog(page)
  }
}
const screenOfSettings = (name: string) => async (page: Page) => {
  await settings(page)
  await page.getByRole('button', { name, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
const option = (name?: string) => async (page: Page) => {
  await chat(page)
  await page.getByRole('button', { name: 'Conversation options' }).click()
  if (name !== undefined) await page.getByRole('button', { name, exact: true }).click()
  await inDialog(page)
}
const address = (path: string) => async (page: Page) => {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
const atCalculator = 'belongs to the calculator, which nobody flees'
const shell = 'is the shell of other dialogs'

/** Every route, and every file that renders a dialog, viewer, sheet or menu. */
export const fleePlaces: readonly FleePlace[] = [
  { source: '/', type: 'screen', open: atCalculator },
  { source: '/calculator', type: 'screen', open: atCalculator },
  { source: '/messaging', type: 'screen', open: () => Promise.resolve() },
  { source: '/conversation/:id', type: 'screen', open: chat },
  { source: '/settings', type: 'screen', open: settings },
  { source: '/settings/devices', type: 'screen', open: screenOfSettings('Devices') },
  { source: '/settings/access-log', type: 'screen', open: screenOfSettings('Access log') },
  { source: '/settings/number', type: 'screen', open: screenOfSettings('Change security password') },
  { source: '/settings/payment', type: 'screen', open: address('/settings/payment') },
  { source: '/admin', type: 'card', open: address('/admin') },
  { source: '/redeem', type: 'screen', open: 'leads on to the settings at once' },
  { source: '*', type: 'card', open: address('/nowhere') },
  { source: '/verify-email', type: 'form', open: address('/verify-email') },
  { source: '/reset-password', type: 'form', open: address('/reset-password?token=none') },
  { source: '/auth', type: 'form', open: 'is walked signed out, by a test of its own' },
  {
    source: 'features/messaging/NewConversationDialog.tsx',
    type: 'dialog',
    open: async (page) => {
      await page.getByRole('button', { name: 'New conversation' }).click()
      await inDialog(page)
    },
  },
  { source: 'features/conversation-options/OptionsSheet.tsx', type: 'sheet', open: option() },
  { source: 'features/conversation-options/BlockDialog.tsx', type: 'dialog', open: option('Block') },
  { source: 'features/conversation-options/ReportDialog.tsx', type: 'dialog', open: option('Report') },
  {
    source: 'features/conversation-options/DeleteDialog.tsx',
    type: 'dialog',
    open: option('Delete conversation'),
  },
  { source: 'features/conversation-options/ConfirmDialog.tsx', type: 'dialog', open: shell },
  { source: 'features/sealed/SecurityCodeDialog.tsx', type: 'dialog', open: option('Security code') },
  {
    source: 'features/messaging/MessageActions.tsx',
    type: 'menu',
    open: async (page) => {
      await chat(page)
      await page
        .getByRole('log')
        .getByText('A picture')
        .dispatchEvent('contextmenu', { clientX: 120, clientY: 300 })
    },
  },
  {
    source: 'features/media/PictureViewer.tsx',
    type: 'viewer',
    open: async (page) => {
      await chat(page)
      await page.getByRole('button', { name: 'Open photo' }).last().click()
      await expect(page.getByRole('dialog', { name: 'Photo' }).getByRole('img')).toBeVisible()
    },
  },
  { source: 'features/media/MediaDialog.tsx', type: 'viewer', open: shell },
  {
    source: 'features/media/play/VideoViewer.tsx',
    type: 'viewer',
    open: 'needs a film in the chat; its stage is the MediaDialog of the photo',
  },
  {
    source: 'features/media/picker/MediaPicker.tsx',
    type: 'sheet',
    open: async (page) => {
      await chat(page)
      await page.getByRole('button', { name: 'Choose a photo or video' }).click()
      await inDialog(page)
    },
  },
  {
    source: 'features/media/picker/SendQuestion.tsx',
    type: 'dialog',
    open: 'needs a film with sound that is left out; it stands in the sheet of the picker',
  },
  { source: 'features/settings/UserCodeCard.tsx', type: 'dialog', open: fromSettings('Show QR code') },
  { source: 'features/settings/RotateCodeDialog.tsx', type: 'dialog', open: fromSettings('Get a new code') },
  { source: 'features/settings/EncryptionDialog.tsx', type: 'dialog', open: fromSettings('Encryption') },
  { source: 'features/settings/ExportDialog.tsx', type: 'dialog', open: fromSettings('Export my data') },
  {
    source: 'features/settings/EndSessionsDialog.tsx',
    type: 'dialog',
    open: fromSettings('End other sessions'),
  },
  { source: 'features/settings/ResetAppDialog.tsx', type: 'dialog', open: fromSettings('Reset app') },
  {
    source: 'features/settings/DeleteAccountDialog.tsx',
    type: 'dialog',
    open: fromSettings('Delete account'),
  },
  {
    source: 'features/settings/ChangePasswordDialog.tsx',
    type: 'dialog',
    open: fromSettings('Change account password'),
  },
  { source: 'features/settings/AccountPasswordDialog.tsx', type: 'dialog', open: shell },
  {
    source: 'features/settings/ChangeNameDialog.tsx',
    type: 'dialog',
    open: 'opens like its neighbours, by a row whose name is the person',
  },
  {
    source: 'features/settings/ChangeEmailDialog.tsx',
    type: 'dialog',
    open: 'opens like its neighbours, by a row whose name is the address',
  },
  {
    source: 'features/settings/ChangePhoneDialog.tsx',
    type: 'dialog',
    open: 'opens like its neighbours, by a row whose name is the number',
  },
  { source: 'features/settings/DevicesScreen.tsx', type: 'dialog', open: 'needs a second device' },
  { source: 'features/settings/LogoutButton.tsx', type: 'dialog', open: 'needs a message that was not sent' },
  {
    source: 'features/settings/SetUpPin.tsx',
    type: 'dialog',
    open: 'is walked before the set-up, by a test of its own',
  },
  {
    source: 'features/premium/GiftDialog.tsx',
    type: 'dialog',
    open: fromSettings('Gift premium'),
  },
  { source: 'features/premium/RedeemDialog.tsx', type: 'dialog', open: fromSettings('Redeem code') },
  { source: 'features/premium/PromoCodeCard.tsx', type: 'dialog', open: fromSettings('Enter promo code') },
  {
    source: 'features/premium/UpgradeDialog.tsx',
    type: 'dialog',
    open: fromSettings('Upgrade to Premium - $29/year'),
  },
  { source: 'features/premium/PremiumUntilDialog.tsx', type: 'dialog', open: 'needs a purchase' },
  { source: 'features/legal/LegalDialog.tsx', type: 'dialog', open: fromSettings('Privacy Policy') },
  { source: 'features/legal/LegalModal.tsx', type: 'dialog', open: atCalculator },
  { source: 'features/calculator/SideMenu.tsx', type: 'menu', open: atCalculator },
  {
    source: 'features/mail-links/ForgotPasswordDialog.tsx',
    type: 'dialog',
    open: 'stands on public forms; walked signed out with them',
  },
  { source: 'features/admin/UserDialog.tsx', type: 'dialog', open: 'needs an administrator' },
  { source: 'shared/ui/Dialog.tsx', type: 'dialog', open: shell },
  {
    source: 'shared/ui/Toaster.tsx',
    type: 'card',
    open: 'is no place of its own; a unit test has its strokes',
  },
]
