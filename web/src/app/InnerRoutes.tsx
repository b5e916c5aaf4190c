import { Route, Routes, useNavigate } from 'react-router-dom'
import { AuthScreen } from '../features/auth/AuthScreen.tsx'
import { LockWatch } from '../features/lock/LockWatch.tsx'
import { ChatScreen } from '../features/messaging/ChatScreen.tsx'
import { ConversationListScreen } from '../features/messaging/ConversationListScreen.tsx'
import { MessagingProvider } from '../features/messaging/MessagingProvider.tsx'
import { NotFoundScreen } from '../features/not-found/NotFoundScreen.tsx'
import { RequireUnlocked, RequireUser } from '../features/session/RequireUser.tsx'
import { SettingsScreen } from '../features/settings/SettingsScreen.tsx'
import { useDoubleEscape } from '../shared/lib/use-double-escape.ts'

/** Everything behind the calculator. */
export function InnerRoutes() {
  const navigate = useNavigate()
  useDoubleEscape(() => void navigate('/'))
  return (
    <LockWatch>
      <Routes>
        <Route path="/auth" element={<AuthScreen />} />
        <Route element={<RequireUser />}>
          <Route path="/settings" element={<SettingsScreen />} />
          <Route element={<RequireUnlocked />}>
            <Route element={<MessagingProvider />}>
              <Route path="/messaging" element={<ConversationListScreen />} />
              <Route path="/conversation/:id" element={<ChatScreen />} />
            </Route>
          </Route>
        </Route>
        <Route path="*" element={<NotFoundScreen />} />
      </Routes>
    </LockWatch>
  )
}
