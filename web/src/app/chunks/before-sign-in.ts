import type { ComponentType } from 'react'
import { importModule } from '../../features/device/import-module.ts'
import { lazyPart } from '../../shared/lib/lazy-part.tsx'

const part = <P extends object>(load: () => Promise<ComponentType<P>>) => lazyPart(() => importModule(load))

// Each stage (before the sign-in, signed in, unlocked) has its own table of parts that are loaded later. A chunk must
// not name screens of a later stage, and the bundler would move a part that two stages can load into a separate chunk.
export const VerifyEmailScreen = part(
  async () => (await import('../../features/mail-links/VerifyEmailScreen.tsx')).VerifyEmailScreen,
)
export const ResetPasswordScreen = part(
  async () => (await import('../../features/mail-links/ResetPasswordScreen.tsx')).ResetPasswordScreen,
)
export const InnerRoutes = part(async () => (await import('../InnerRoutes.tsx')).InnerRoutes)
export const AuthScreen = part(async () => (await import('../../features/auth/AuthScreen.tsx')).AuthScreen)
// A test checks this chunk and the calculator's for words that reveal the app; the chunks behind the sign-in may
// contain such words.
export const SignedInRoutes = part(async () => (await import('../SignedInRoutes.tsx')).SignedInRoutes)
export const importNextScreen = () => import('../next-screen.ts')
