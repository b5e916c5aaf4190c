import { useState } from 'react'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import { useLongPress } from '../../shared/lib/use-long-press.ts'
import { MessageActions } from '../../app/chunks/unlocked.tsx'
import type { MessageActionsProps, OpenMenu } from './MessageActions.tsx'

interface MessageMenuProps {
  /** The id of the conversation. */
  id: string
  onEdit?: MessageActionsProps['onEdit']
  onReply?: MessageActionsProps['onReply']
  scroller: RefObject<HTMLElement | null>
  children: ReactNode
}

const messageOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>('article') : null

/** A link and selected text keep the browser's own menu. */
const isOurs = ({ target }: MouseEvent) =>
  messageOf(target) !== null &&
  !(target as Element).closest('a') &&
  window.getSelection()?.isCollapsed !== false

/** Opens a menu for the message under a right click, a long press or, from the keyboard, the menu key. */
export function MessageMenu({ scroller, id, onEdit, onReply, children }: MessageMenuProps) {
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const onLongPress = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const message = messageOf(target)
    if (message) setMenu({ message, x, y })
  }
  const { handlers } = useLongPress(onLongPress, { mouse: 'right button', when: 'held', isOurs })
  return (
    <div className="min-h-0 flex-1" {...handlers}>
      {children}
      {menu && (
        <MessageActions
          {...menu}
          {...{ id, onEdit, onReply }}
          onClose={() => {
            setMenu(null)
            if (menu.message.isConnected) menu.message.focus({ preventScroll: true })
            else scroller.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}
