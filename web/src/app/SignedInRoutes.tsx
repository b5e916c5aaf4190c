import { lazy, useState } from 'react'
import type { ComponentType } from 'react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { NotFoundScreen } from '../features/not-found/NotFoundScreen.tsx'
import { useAuth } from '../features/session/auth-context.ts'
import { isUnlocked } from '../features/session/is-unlocked.ts'
import { RequireUnlocked, RequireUser, RequireWholeUser } from '../features/session/RequireUser.tsx'
import { importModule } from '../shared/lib/import-module.ts'
import { lazyPart } from '../shared/lib/lazy-part.tsx'

const SettingsScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/settings/SettingsScreen.tsx'))).SettingsScreen,
}))
const ChangePinScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/settings/ChangePinScreen.tsx'))).ChangePinScreen,
}))
const DevicesScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/settings/DevicesScreen.tsx'))).DevicesScreen,
}))
const AccessLogScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/settings/AccessLogScreen.tsx'))).AccessLogScreen,
}))
const PaymentScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/premium/PaymentScreen.tsx'))).PaymentScreen,
}))
const RedeemLinkScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/premium/RedeemLinkScreen.tsx'))).RedeemLinkScreen,
}))
const AdminScreen = lazy(async () => ({
  default: (await importModule(() => import('../features/admin/AdminScreen.tsx'))).AdminScreen,
}))
// Loaded after an unlock: no earlier chunk may name these screens.
const unlocked = () => importModule(() => import('./unlocked-screens.ts'))
const part = <P extends object>(pick: (parts: Awaited<ReturnType<typeof unlocked>>) => ComponentType<P>) =>
  lazyPart(async () => pick(await unlocked()))
const MessagingProvider = part((parts) => parts.MessagingProvider)
const RequireMessaging = part((parts) => parts.RequireMessaging)
const MessagingLayout = part((parts) => parts.MessagingLayout)
const ChatScreen = part((parts) => parts.ChatScreen)
const screens = [MessagingProvider, RequireMessaging, MessagingLayout, ChatScreen]
/** Loads the screens of an unlocked session, so that the first one is rendered without a pause. */
export const loadUnlockedScreens = () => Promise.all(screens.map(({ load }) => load()))

/** The screens of a signed-in person, and the not-found screen for every other address. */
export function SignedInRoutes() {
  return (
    <Routes>
      <Route path="/redeem" element={<RedeemLinkScreen />} />
      <Route element={<RequireUser />}>
        <Route element={<OnceUnlocked />}>
          <Route path="/settings" element={<SettingsScreen />} />
          <Route element={<RequireWholeUser />}>
            <Route path="/settings/devices" element={<DevicesScreen />} />
            <Route path="/settings/payment" element={<PaymentScreen />} />
            <Route path="/settings/access-log" element={<AccessLogScreen />} />
            <Route path="/admin" element={<AdminScreen />} />
          </Route>
          <Route element={<RequireUnlocked />}>
            <Route path="/settings/number" element={<ChangePinScreen />} />
            <Route element={<RequireMessaging />}>
              <Route element={<MessagingLayout />}>
                <Route path="/messaging" element={null} />
                <Route path="/conversation/:id" element={<ChatScreen />} />
              </Route>
            </Route>
          </Route>
        </Route>
      </Route>
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}

/** Keeps connection and outbox mounted from the first unlock, so that a lock can still send unsent messages. */
function OnceUnlocked() {
  const { user } = useAuth()
  const [userId, setUserId] = useState<string>()
  if (user && isUnlocked(user) && user.id !== userId) setUserId(user.id)
  if (userId === undefined) return <Outlet />
  return (
    <MessagingProvider userId={userId}>
      <Outlet />
    </MessagingProvider>
  )
}
