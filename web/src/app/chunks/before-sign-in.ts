import type { ComponentType } from 'react'
import { importModule } from '../../features/device/import-module.ts'
import { lazyPart } from '../../shared/lib/lazy-part.tsx'

const part = <P extends object>(load: () => Promise<ComponentType<P>>) => lazyPart(() => importModule(load))

// Each stage has a table of its own: a chunk must not name what comes behind a later lock, and the bundler would split
// off a part that an earlier stage could load, too.
export const VerifyEmailScreen = part(
  async () => (await import('../../features/mail-links/VerifyEmailScreen.tsx')).VerifyEmailScreen,
)
export const ResetPasswordScreen = part(
  async () => (await import('../../features/mail-links/ResetPasswordScreen.tsx')).ResetPasswordScreen,
)
export const InnerRoutes = part(async () => (await import('../InnerRoutes.tsx')).InnerRoutes)
export const AuthScreen = part(async () => (await import('../../features/auth/AuthScreen.tsx')).AuthScreen)
// The sign-in chunk is checked for telltale words, like the calculator's; the chunks behind it are not.
export const SignedInRoutes = part(async () => (await import('../SignedInRoutes.tsx')).SignedInRoutes)
export const importNextScreen = () => import('../next-screen.ts')
