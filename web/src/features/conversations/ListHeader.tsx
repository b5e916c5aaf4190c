import { useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { cx } from '../../shared/lib/cx.ts'
import { useIsScrolledAway } from '../../shared/lib/use-is-scrolled-away.ts'
import { GearIcon, PlusIcon } from '../../shared/ui/icons.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'

const title = 'Secure Messages'
const barHeightPx = 56

/**
 * Shows a large title, which becomes a small one in the bar when it is scrolled away. Next to a chat, the chat's title
 * is the main heading.
 */
export function ListHeader({ isBesideChat, onNew }: { isBesideChat: boolean; onNew: () => void }) {
  const navigate = useNavigate()
  const largeTitle = useRef<HTMLDivElement>(null)
  const isCollapsed = useIsScrolledAway(largeTitle, barHeightPx)
  const look = 'truncate text-[1.75rem] leading-[2.125rem] font-semibold'
  return (
    <>
      <div
        className={cx(
          'sticky top-0 z-10 shrink-0 border-b bg-canvas pt-[env(safe-area-inset-top)]',
          isCollapsed ? 'border-line' : 'border-transparent',
        )}
      >
        <div className="flex min-h-14 items-center gap-1 pr-2 pl-4">
          <p
            aria-hidden
            className={cx(
              'min-w-0 flex-1 truncate text-xl font-semibold transition-opacity duration-150',
              !isCollapsed && 'opacity-0',
            )}
          >
            {title}
          </p>
          <TipButton label="New conversation" onClick={onNew}>
            <PlusIcon />
          </TipButton>
          <TipButton label="Settings" onClick={() => void navigate('/settings')}>
            <GearIcon />
          </TipButton>
        </div>
      </div>
      <div ref={largeTitle} className="shrink-0 px-4 pb-2">
        {isBesideChat ? (
          <h2 className={look}>{title}</h2>
        ) : (
          <ScreenTitle className={look}>{title}</ScreenTitle>
        )}
      </div>
    </>
  )
}
