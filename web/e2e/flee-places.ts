import type { Page } from '@playwright/test'
import * as signedOut from './flee-stranger-ways.ts'
import * as ways from './flee-ways.ts'
import type { Way } from './flee-ways.ts'
import type { WalkerName } from './flee-walkers.ts'
import type { Stroke } from './touch.ts'

export type PlaceType = 'screen' | 'viewer' | 'sheet' | 'dialog' | 'menu' | 'card' | 'form'

export interface FleePlace {
  /** A route, or the file below `web/src` that renders the place. */
  source: string
  type: PlaceType
  /** The ways of the walkers to the place; a text explains why nobody walks there. */
  by: Partial<Record<WalkerName, Way>> | string
  /** The swipe, if it has to begin on an element of the place itself. */
  swipe?: (page: Page) => Promise<Stroke>
}

const { address, fromSettings, option, screenOfSettings } = ways
const ofCalculator = 'belongs to the calculator'
const shell = 'is the shell of other dialogs'

const routes: readonly FleePlace[] = [
  { source: '/', type: 'screen', by: ofCalculator },
  { source: '/calculator', type: 'screen', by: ofCalculator },
  { source: '/messaging', type: 'screen', by: { member: ways.stay } },
  { source: '/conversation/:id', type: 'screen', by: { member: ways.chat } },
  { source: '/settings', type: 'screen', by: { member: ways.settings } },
  { source: '/settings/devices', type: 'screen', by: { member: screenOfSettings('Devices') } },
  { source: '/settings/access-log', type: 'screen', by: { member: screenOfSettings('Access log') } },
  {
    source: '/settings/number',
    type: 'screen',
    by: { member: screenOfSettings('Change security password') },
  },
  {
    source: '/settings/payment',
    type: 'screen',
    by: { member: address('/settings/payment?id=00000000-0000-4000-8000-000000000000') },
  },
  { source: '/admin', type: 'screen', by: { admin: address('/admin') } },
  { source: '/redeem', type: 'dialog', by: { member: ways.promoLink } },
  { source: '*', type: 'card', by: { member: address('/nowhere') } },
  {
    source: '/verify-email',
    type: 'form',
    by: { member: address('/verify-email'), stranger: address('/verify-email') },
  },
  {
    source: '/reset-password',
    type: 'form',
    by: { member: address('/reset-password?token=none'), stranger: signedOut.newPassword },
  },
  { source: '/auth', type: 'form', by: { stranger: signedOut.signIn } },
]

const conversations: readonly FleePlace[] = [
  {
    source: 'features/conversations/NewConversationDialog.tsx',
    type: 'dialog',
    by: { member: ways.newConversation },
  },
  { source: 'features/conversation-options/OptionsSheet.tsx', type: 'sheet', by: { member: option() } },
  {
    source: 'features/conversation-options/NicknameDialog.tsx',
    type: 'dialog',
    by: { member: option('Nickname') },
  },
  {
    source: 'features/conversation-options/TimerDialog.tsx',
    type: 'dialog',
    by: { member: option('Vanishing messages Off') },
  },
  {
    source: 'features/conversation-options/BlockDialog.tsx',
    type: 'dialog',
    by: { member: option('Block') },
  },
  {
    source: 'features/conversation-options/ReportDialog.tsx',
    type: 'dialog',
    by: { member: option('Report') },
  },
  {
    source: 'features/conversation-options/DeleteDialog.tsx',
    type: 'dialog',
    by: { member: option('Delete conversation') },
  },
  { source: 'features/conversation-options/ConfirmDialog.tsx', type: 'dialog', by: shell },
  {
    source: 'features/chat/SecurityCodeDialog.tsx',
    type: 'dialog',
    by: { member: option('Security code') },
  },
  { source: 'features/chat/MessageActions.tsx', type: 'menu', by: { member: ways.menuOfMessage } },
  { source: 'features/chat/EditComposer.tsx', type: 'screen', by: { member: ways.editedCaption } },
  { source: 'features/chat/ReactionDialog.tsx', type: 'dialog', by: { member: ways.otherReaction } },
  { source: 'features/chat/UnsendDialog.tsx', type: 'dialog', by: { member: ways.deletionForBoth } },
  { source: 'features/media/view/PictureViewer.tsx', type: 'viewer', by: { member: ways.photo } },
  { source: 'features/chat/search/SearchBar.tsx', type: 'form', by: { member: ways.searched } },
  { source: 'features/media/overview/MediaOverview.tsx', type: 'viewer', by: { member: ways.overview } },
  { source: 'features/media/view/SavePicture.tsx', type: 'dialog', by: { member: ways.savedPhoto } },
  { source: 'features/media/play/VideoViewer.tsx', type: 'viewer', by: { member: ways.film } },
  {
    source: 'features/media/once/OnceViewer.tsx',
    type: 'viewer',
    by: 'is fled from in once.spec.ts, because each walk would need a message of its own',
  },
  { source: 'features/media/MediaDialog.tsx', type: 'viewer', by: shell },
  { source: 'features/media/preview/MediaPreview.tsx', type: 'viewer', by: { member: ways.preview } },
  { source: 'features/media/picker/MediaPicker.tsx', type: 'sheet', by: { member: ways.picker } },
  { source: 'features/media/picker/SendQuestion.tsx', type: 'dialog', by: { member: ways.questionOfFilm } },
  {
    source: 'shared/ui/Toaster.tsx',
    type: 'card',
    by: { member: ways.muted },
    swipe: ways.leftOverToast,
  },
]

const ofSettings = (source: string, row: string | RegExp): FleePlace => {
  return { source, type: 'dialog', by: { member: fromSettings(row) } }
}

const dialogsOfSettings: readonly FleePlace[] = [
  ...[
    { source: 'features/settings/UserCodeCard.tsx', row: 'Show QR code' },
    { source: 'features/settings/RotateCodeDialog.tsx', row: 'Get a new code' },
    { source: 'features/settings/EncryptionDialog.tsx', row: 'Encryption' },
    { source: 'features/settings/ExportDialog.tsx', row: 'Export my data' },
    { source: 'features/settings/EndSessionsDialog.tsx', row: 'End other sessions' },
    { source: 'features/settings/ResetAppDialog.tsx', row: 'Reset app' },
    { source: 'features/settings/DeleteAccountDialog.tsx', row: 'Delete account' },
    { source: 'features/settings/ChangePasswordDialog.tsx', row: 'Change account password' },
    { source: 'features/settings/ChangeNameDialog.tsx', row: /^Full name/ },
    { source: 'features/settings/ChangeEmailDialog.tsx', row: /^Email/ },
    { source: 'features/settings/ChangePhoneDialog.tsx', row: /^Phone/ },
    { source: 'features/premium/GiftDialog.tsx', row: 'Gift premium' },
    { source: 'features/premium/RedeemDialog.tsx', row: 'Redeem code' },
    { source: 'features/premium/PromoCodeCard.tsx', row: 'Enter promo code' },
    { source: 'features/premium/UpgradeDialog.tsx', row: 'Upgrade to Premium - $29/year' },
  ].map(({ source, row }) => ofSettings(source, row)),
  { source: 'features/settings/AccountPasswordDialog.tsx', type: 'dialog', by: shell },
  { source: 'features/settings/DevicesScreen.tsx', type: 'dialog', by: { member: ways.otherDevice } },
  { source: 'features/settings/LogoutButton.tsx', type: 'dialog', by: { member: ways.logout } },
  { source: 'features/settings/SetUpPin.tsx', type: 'form', by: { newcomer: ways.setUp } },
  { source: 'features/premium/PremiumUntilDialog.tsx', type: 'dialog', by: { partner: ways.redeemed } },
]

const others: readonly FleePlace[] = [
  {
    source: 'features/legal/LegalDialog.tsx',
    type: 'dialog',
    by: { member: fromSettings('Privacy Policy'), stranger: signedOut.legalOfSignIn },
  },
  { source: 'features/legal/LegalModal.tsx', type: 'dialog', by: ofCalculator },
  { source: 'features/calculator/SideMenu.tsx', type: 'menu', by: ofCalculator },
  {
    source: 'features/mail-links/ForgotPasswordDialog.tsx',
    type: 'dialog',
    by: { stranger: signedOut.forgotten },
  },
  { source: 'features/admin/UserDialog.tsx', type: 'dialog', by: { admin: ways.userOfAdmin } },
  { source: 'features/admin/PasswordPrompt.tsx', type: 'dialog', by: { admin: ways.passwordOfAdmin } },
  { source: 'shared/ui/Dialog.tsx', type: 'dialog', by: shell },
]

/** Every route, and every file that renders a dialog, viewer, sheet or menu. */
export const fleePlaces: readonly FleePlace[] = [...routes, ...conversations, ...dialogsOfSettings, ...others]
