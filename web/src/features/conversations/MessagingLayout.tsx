import { Outlet, useMatch } from 'react-router-dom'
import { NothingOpen } from '../../app/chunks/unlocked.tsx'
import { useMediaQuery } from '../../shared/lib/use-media-query.ts'
import { ConversationList } from './ConversationList.tsx'

const twoPanes = '(min-width: 1300px)'
const besideChat = {
  role: 'navigation',
  'aria-label': 'Conversations',
  className: 'w-90 shrink-0 border-r border-line',
}
const alone = { role: 'main', className: 'min-w-0 flex-1' }

/** Shows either the list or the chat, or both side by side in a wide window. */
export function MessagingLayout() {
  const isWide = useMediaQuery(twoPanes)
  const openId = useMatch('/conversation/:id')?.params.id

  return (
    <div className="flex h-dvh touch-pan-y touch-pinch-zoom">
      {(isWide || openId === undefined) && (
        // Both layouts use the same element, so that a change of the window's width keeps an open dialog and the
        // search.
        <div {...(isWide ? besideChat : alone)}>
          <ConversationList openId={openId} />
        </div>
      )}
      {(isWide || openId !== undefined) && (
        <main className="min-w-0 flex-1">{openId === undefined ? <NothingOpen /> : <Outlet />}</main>
      )}
    </div>
  )
}
