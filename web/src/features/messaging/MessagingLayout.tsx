import { MessageCircle } from 'lucide-react'
import { Outlet, useMatch, useNavigate } from 'react-router-dom'
import { useMediaQuery } from '../../shared/lib/use-media-query.ts'
import { useSwipe } from '../../shared/lib/use-swipe.ts'
import { EmptyState } from '../../shared/ui/EmptyState.tsx'
import { ConversationList } from './ConversationList.tsx'

const twoPanes = '(min-width: 1300px)'

/** List and chat: one after the other, or side by side in a wide window. A swipe leaves to the calculator. */
export function MessagingLayout() {
  const isWide = useMediaQuery(twoPanes)
  const openId = useMatch('/conversation/:id')?.params.id
  const navigate = useNavigate()
  const swipe = useSwipe(() => void navigate('/'))

  return (
    <div className="flex h-dvh touch-pan-y touch-pinch-zoom" {...swipe}>
      {isWide && (
        <nav aria-label="Conversations" className="w-90 shrink-0 border-r border-line">
          <ConversationList openId={openId} />
        </nav>
      )}
      <main className="min-w-0 flex-1">
        {openId !== undefined && <Outlet />}
        {openId === undefined && !isWide && <ConversationList openId={undefined} />}
        {openId === undefined && isWide && (
          <div className="flex h-full">
            <EmptyState
              icon={<MessageCircle aria-hidden size={48} strokeWidth={1.75} />}
              title="Choose a conversation"
            >
              Messages appear here.
            </EmptyState>
          </div>
        )}
      </main>
    </div>
  )
}
