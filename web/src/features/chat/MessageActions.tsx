import type { ReplyTo } from '@sumlock/sync/ports'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useBackdrop } from '../../shared/lib/use-backdrop.ts'
import { usePage, useSession } from '../../page.ts'
import { copyWithToast } from '../../shared/ui/copy-with-toast.ts'
import { cx } from '../../shared/lib/cx.ts'
import { CopyIcon, PencilIcon } from '../../shared/ui/icons.tsx'
import { messageOfBubble } from './message-of-bubble.ts'
import { answerable } from './reply/answerable.ts'
import { ReplyIcon } from './reply/reply-icon.tsx'
import { useShownMessages } from './use-conversation.ts'
import { DeleteIcon } from './delete-icon.tsx'
import { ReactionDialog } from './ReactionDialog.tsx'
import { ReactionItems } from './ReactionItems.tsx'
import { UnsendDialog } from './UnsendDialog.tsx'
import { useOwnMessage } from './use-own-message.ts'
import type { OwnMessage } from './use-own-message.ts'
import { useReactionTo } from './use-reactions.ts'

export interface OpenMenu {
  message: HTMLElement
  x: number
  y: number
}

export interface MessageActionsProps extends OpenMenu {
  /** The id of the conversation. */
  id: string
  /** Begins to edit a message; undefined where nothing can be written. */
  onEdit?: ((own: OwnMessage) => void) | undefined
  /** Begins to answer a message; undefined where nothing can be written or sealed. */
  onReply?: ((re: ReplyTo) => void) | undefined
  onClose: () => void
}

const widthPx = 190
const wideWidthPx = 328
const itemPx = 44
const paddingPx = 10

/** Shows the menu of a message at a point of the window, and then the question that an item leads to. */
export function MessageActions({ message, x, y, id, onEdit, onReply, onClose }: MessageActionsProps) {
  const { toasts } = usePage()
  const { userId } = useSession()
  const own = useOwnMessage(id, message.dataset['message'])
  const { messages } = useShownMessages(id).state
  const stored = messageOfBubble(messages, message.dataset['message'], userId)
  const re = onReply ? answerable(stored) : null
  const reaction = useReactionTo(id, message.dataset['message'])
  const [asksEmoji, setAsksEmoji] = useState(false)
  const [deleted, setDeleted] = useState<OwnMessage>()
  const canEdit = onEdit && own !== null && own.text !== null
  const shown = message.querySelector<HTMLElement>('[dir=auto]')
  const items = [reaction, re, shown, canEdit && own, own].filter(Boolean)
  const isEmpty = (stored?.isUnsent ?? stored?.isVanished ?? false) || items.length === 0
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isEmpty) close()
  }, [isEmpty])
  const copy = () => {
    onClose()
    void copyWithToast(toasts, { text: shown?.textContent ?? '', shown })
  }
  const edit = () => {
    onClose()
    if (own) onEdit?.(own)
  }
  const reply = () => {
    onClose()
    if (re) onReply?.(re)
  }
  const react = (emoji: string) => {
    onClose()
    reaction?.react(emoji)
  }
  if (isEmpty) return null
  if (asksEmoji) return <ReactionDialog onChoose={react} onClose={onClose} />
  if (deleted) return <UnsendDialog own={deleted} onClose={onClose} />
  return (
    <Menu {...{ x, y, onClose }} count={items.length} isWide={reaction !== null}>
      {reaction && <ReactionItems {...reaction} onChoose={react} onOther={() => setAsksEmoji(true)} />}
      {re && (
        <MenuItem icon={<ReplyIcon size={18} />} onClick={reply}>
          Reply
        </MenuItem>
      )}
      {shown && (
        <MenuItem icon={<CopyIcon size={18} />} onClick={copy}>
          Copy
        </MenuItem>
      )}
      {canEdit && (
        <MenuItem icon={<PencilIcon size={18} />} onClick={edit}>
          Edit
        </MenuItem>
      )}
      {own && (
        <MenuItem icon={<DeleteIcon size={18} />} onClick={() => setDeleted(own)}>
          Delete for both
        </MenuItem>
      )}
    </Menu>
  )
}

interface MenuProps extends Pick<MessageActionsProps, 'x' | 'y' | 'onClose'> {
  count: number
  /** Whether a row of emoji needs the width. */
  isWide: boolean
  children: ReactNode
}

function Menu({ x, y, count, isWide, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const itemsOf = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useLayoutEffect(() => itemsOf()[0]?.focus({ preventScroll: true }), [])
  const backdrop = useBackdrop(onClose)
  useEffect(() => {
    const { innerWidth } = window
    // Moving the focus here closes a touch keyboard, which changes the height only. A rotation changes the width.
    const onResize = () => window.innerWidth !== innerWidth && onClose()
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key]
    if (by === undefined && key !== 'Escape' && key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (by === undefined) return onClose()
    nextItem(itemsOf(), key, by)?.focus({ preventScroll: true })
  }
  return (
    <div className="fixed inset-0 z-20" onContextMenu={(event) => event.preventDefault()} {...backdrop}>
      <div
        ref={menu}
        role="menu"
        aria-label="Message"
        className={cx(
          'absolute min-w-40 rounded-xl border border-line bg-surface p-1 shadow-lg',
          isWide && 'w-82 max-w-[calc(100vw-1rem)]',
        )}
        style={{
          left: Math.max(8, Math.min(x, window.innerWidth - (isWide ? wideWidthPx : widthPx) - 8)),
          top: Math.max(8, Math.min(y, window.innerHeight - count * itemPx - paddingPx - 8)),
        }}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </div>
  )
}

/** Items in a group stand in a row: left and right move in it, up and down leave it. */
function nextItem(items: readonly HTMLElement[], key: string, by: number): HTMLElement | undefined {
  const row = items.filter((item) => item.closest('[role=group]'))
  const focused = row.find((item) => item === document.activeElement)
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return focused && row.at((row.indexOf(focused) + by) % row.length)
  const stops = items.filter((item) => item === row[0] || !row.includes(item))
  const at = focused ? 0 : stops.indexOf(document.activeElement as HTMLElement)
  return stops.at((at + by) % stops.length)
}

function MenuItem(props: { icon: ReactNode; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      role="menuitem"
      className="flex min-h-11 w-full items-center gap-3 rounded-lg px-3 hover:bg-surface-2"
      onClick={props.onClick}
    >
      {props.icon}
      {props.children}
    </button>
  )
}
