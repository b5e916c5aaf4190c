import type { ComponentType } from 'react'
import { importModule } from '../../features/device/import-module.ts'
import { lazyPart } from '../../shared/lib/lazy-part.tsx'

// This table lists the screens behind the sign-in.

const screen = <P extends object>(load: () => Promise<ComponentType<P>>) => lazyPart(() => importModule(load))

export const SettingsScreen = screen(
  async () => (await import('../../features/settings/SettingsScreen.tsx')).SettingsScreen,
)
export const ChangePinScreen = screen(
  async () => (await import('../../features/settings/ChangePinScreen.tsx')).ChangePinScreen,
)
export const DevicesScreen = screen(
  async () => (await import('../../features/settings/DevicesScreen.tsx')).DevicesScreen,
)
export const AccessLogScreen = screen(
  async () => (await import('../../features/settings/AccessLogScreen.tsx')).AccessLogScreen,
)
export const PaymentScreen = screen(
  async () => (await import('../../features/premium/PaymentScreen.tsx')).PaymentScreen,
)
export const RedeemLinkScreen = screen(
  async () => (await import('../../features/premium/RedeemLinkScreen.tsx')).RedeemLinkScreen,
)
export const AdminScreen = screen(
  async () => (await import('../../features/admin/AdminScreen.tsx')).AdminScreen,
)

const unlocked = () => import('../unlocked-screens.ts')
export const MessagingProvider = screen(async () => (await unlocked()).MessagingProvider)
export const RequireMessaging = screen(async () => (await unlocked()).RequireMessaging)
export const MessagingLayout = screen(async () => (await unlocked()).MessagingLayout)
export const ChatScreen = screen(async () => (await unlocked()).ChatScreen)
/** Loads the screens of an unlocked session, so that the first one renders without a pause. */
export const loadUnlockedScreens = () =>
  Promise.all([MessagingProvider, RequireMessaging, MessagingLayout, ChatScreen].map(({ load }) => load()))
