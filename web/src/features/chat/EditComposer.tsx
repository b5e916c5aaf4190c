import { hasText } from '@sumlock/contracts/has-text'
import { limits } from '@sumlock/contracts/limits'
import { randomId } from '@sumlock/sync/random-id'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { usePage, useSession } from '../../page.ts'
import { lengthOf } from '../../shared/lib/text-length.ts'
import { IconButton } from '../../shared/ui/Button.tsx'
import { CloseIcon } from '../../shared/ui/first-icons.ts'
import { CheckIcon, PencilIcon } from '../../shared/ui/icons.tsx'
import { LengthNote } from '../../shared/ui/LengthNote.tsx'
import { forgetEdit, keepEdit, keptEdit } from '../delivery/edit-draft.ts'
import { MessageBox } from '../media/MessageBox.tsx'
import type { OwnMessage } from './use-own-message.ts'
import { useShownMessages } from './use-conversation.ts'

interface EditComposerProps {
  own: OwnMessage
  onEnd: () => void
}

/** Takes the place of the composer while a message is edited. The draft stays where it is kept. */
export function EditComposer({ own, onEnd: onEnded }: EditComposerProps) {
  const { outbox, drafts } = useSession()
  const { conversationId, name: target, isText, replaces, media, re, vanishMs, isPlain } = own
  const [text, setText] = useState(keptEdit(drafts, own) ?? own.text ?? '')
  const box = useRef<HTMLTextAreaElement>(null)
  const noteId = useId()
  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.setSelectionRange(text.length, text.length)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only the opened box gets the focus
  }, [])
  const onEnd = () => {
    forgetEdit(drafts, own)
    onEnded()
  }
  useEndWhenEmptied(own, onEnd)
  const content = hasText(text) ? text.trim() : ''
  const length = lengthOf(text, limits.messageMaxLength)
  const isSendable = (content !== '' || !isText) && length.excess === 0
  const save = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!isSendable) return
    const act = { conversationId, clientMessageId: randomId(), act: 'edit' as const, target }
    if (content !== own.text) outbox.act({ ...act, replaces, content, media, re, vanishMs, isPlain })
    onEnd()
  }
  return (
    <form
      className="shrink-0 border-t border-line px-3 pt-1 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      onSubmit={save}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onEnd()
      }}
    >
      <div className="mx-auto max-w-190">
        {/* A search that takes the room of the composer leaves it to one with a group. */}
        <div
          role="group"
          aria-label="Edit"
          className="flex items-center gap-2 pl-2 text-sm font-medium text-accent"
        >
          <PencilIcon size={16} />
          <div className="min-w-0 flex-1">
            <p>{own.isText ? 'Editing' : 'Editing the caption'}</p>
            <p dir="auto" className="truncate font-normal text-ink-2">
              {own.text}
            </p>
          </div>
          <IconButton label="Stop editing" onClick={onEnd}>
            <CloseIcon />
          </IconButton>
        </div>
        <LengthNote id={noteId} what="A message" purpose="save it" {...length} />
        <div className="flex items-end gap-1">
          <MessageBox
            ref={box}
            aria-label="Edited message"
            value={text}
            aria-invalid={length.excess > 0}
            aria-describedby={noteId}
            onChange={({ target: { value } }) => {
              setText(value)
              keepEdit(drafts, own, value)
            }}
            onEnter={save}
          />
          <button
            type="submit"
            aria-label="Save"
            disabled={!isSendable}
            className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition duration-100 active:scale-95 disabled:bg-surface-2 disabled:text-ink-2"
          >
            <CheckIcon />
          </button>
        </div>
      </div>
    </form>
  )
}

/** Ends the editing of a message that has vanished or was taken back, such as on another device. */
function useEndWhenEmptied({ conversationId, name }: OwnMessage, onEnd: () => void): void {
  const { toast } = usePage().toasts
  const { messages } = useShownMessages(conversationId).state
  const edited = messages.find(
    ({ senderId, clientMessageId }) => senderId === name.by && clientMessageId === name.id,
  )
  const isEmptied = edited?.isUnsent ?? edited?.isVanished ?? false
  const end = useEffectEvent(() => {
    const description = edited?.isVanished ? 'This message has vanished.' : 'This message was deleted.'
    toast({ title: 'Not edited', description })
    onEnd()
  })
  useEffect(() => {
    if (isEmptied) end()
  }, [isEmptied])
}
