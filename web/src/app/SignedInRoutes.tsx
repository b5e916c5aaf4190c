import { useState } from 'react'
import { Outlet, Route, Routes } from 'react-router-dom'
import { NotFoundScreen } from '../features/not-found/NotFoundScreen.tsx'
import { useAuth } from '../features/session/auth-context.ts'
import { isUnlocked } from '../features/session/is-unlocked.ts'
import { RequireUnlocked, RequireUser, RequireWholeUser } from '../features/session/RequireUser.tsx'
import {
  AccessLogScreen,
  AdminScreen,
  ChangePinScreen,
  ChatScreen,
  DevicesScreen,
  MessagingLayout,
  MessagingProvider,
  PaymentScreen,
  RedeemLinkScreen,
  RequireMessaging,
  SettingsScreen,
} from './chunks/signed-in.ts'

/** Renders the screens of a signed-in person, and the not-found screen for every other address. */
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
