import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { ChatScreen } from '../src/features/chat/ChatScreen.tsx'
import { ConversationList } from '../src/features/conversations/ConversationList.tsx'
import { AuthProvider } from '../src/features/session/AuthProvider.tsx'
import { Toaster } from '../src/shared/ui/Toaster.tsx'
import { Tooltips } from '../src/shared/ui/TipButton.tsx'

/** Renders the chat at `/conversation/:id` and the list at `/messaging`. */
export const ChatAndList = ({ address }: { address: string }) => (
  <Tooltips>
    <Toaster />
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path="/conversation/:id" element={<ChatScreen />} />
        <Route
          path="/messaging"
          element={
            <AuthProvider>
              <ConversationList openId={undefined} />
            </AuthProvider>
          }
        />
      </Routes>
    </MemoryRouter>
  </Tooltips>
)
