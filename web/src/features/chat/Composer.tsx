import { hasText } from '@sumlock/contracts/has-text'
import { limits } from '@sumlock/contracts/limits'
import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent, ReactNode, Ref, RefObject } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { lengthOf } from '../../shared/lib/text-length.ts'
import { SendIcon } from '../../shared/ui/icons.tsx'
import { LengthNote } from '../../shared/ui/LengthNote.tsx'
import { MessageBox } from '../media/MessageBox.tsx'
import { pastedFiles } from '../media/choose-files.ts'
import type { ChosenFiles } from '../media/choose-files.ts'
import { LimitReached } from '../../app/chunks/unlocked.tsx'
import { MediaButtons } from './MediaButtons.tsx'

export interface ComposerProps {
  canSend: boolean
  unlimited: boolean
  /** The box starts with this text. */
  draft: string
  onDraft: (text: string) => void
  /** Sends the text and ends the draft. */
  onSend: (content: string) => void
  /** Receives files that were chosen or pasted. */
  onFiles?: (chosen: ChosenFiles) => void
  /** The message answers the one that the bar shows. */
  reply?: { id: string; bar: ReactNode; onEnd: () => void } | undefined
  /** Returns the button that replaces the send button while there is no text. It reports when it begins and ends to record. */
  voice?: (onRecording: (isOn: boolean) => void) => ReactNode
}

export function Composer({
  canSend,
  unlimited,
  draft,
  onDraft,
  onSend,
  onFiles,
  reply,
  voice,
}: ComposerProps) {
  const [text, setText] = useState(draft)
  const [isRecording, setIsRecording] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const note = useRef<HTMLDivElement>(null)
  const noteId = useId()
  const content = hasText(text) ? text.trim() : ''
  const length = lengthOf(text, limits.messageMaxLength)
  const isSendable = content !== '' && length.excess === 0 && canSend
  useBoxFocus({ box, note, canSend, replyId: reply?.id })
  const grow = () => {
    if (!growsByItself) fit(box.current)
  }
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (!isSendable) return
    onSend(content)
    setText('')
    if (box.current && !growsByItself) box.current.style.height = 'auto'
    box.current?.focus()
  }

  return (
    <form
      className="shrink-0 border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      onSubmit={send}
      onKeyDown={({ key }) => {
        if (key === 'Escape') reply?.onEnd()
      }}
    >
      <div className="mx-auto max-w-190">
        {reply?.bar}
        {!unlimited && <FreeMessageNote ref={note} canSend={canSend} />}
        <LengthNote id={noteId} what="A message" purpose="send it" {...length} />
        <ComposerRow
          isHidden={isRecording}
          media={onFiles && <MediaButtons canSend={canSend} isMultiple={unlimited} onFiles={onFiles} />}
        >
          <MessageBox
            ref={box}
            value={text}
            disabled={!canSend}
            aria-invalid={length.excess > 0}
            aria-describedby={noteId}
            onChange={({ target }) => {
              setText(target.value)
              onDraft(target.value)
              grow()
            }}
            onEnter={send}
            onPaste={(event) => {
              const files = pastedFiles(event.clipboardData)
              if (!onFiles || files.length === 0) return
              event.preventDefault()
              onFiles({ files, from: 'gallery' })
            }}
          />
          {content === '' && voice?.(setIsRecording)}
          <SendButton disabled={!isSendable} />
        </ComposerRow>
      </div>
    </form>
  )
}

interface BoxFocus {
  box: RefObject<HTMLTextAreaElement | null>
  note: RefObject<HTMLElement | null>
  canSend: boolean
  replyId: string | undefined
}

/** Gives the box the focus when it opens and when a reply begins, and the note when nothing more can be sent. */
function useBoxFocus({ box, note, canSend, replyId }: BoxFocus): void {
  const onOpen = useEffectEvent(() => {
    if (!growsByItself) fit(box.current)
    // A touch keyboard would cover half of the conversation, so only a mouse user gets the focus.
    if (canSend && window.matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  })
  useLayoutEffect(() => {
    onOpen()
  }, [])
  // A disabled box would drop the focus of the person who has just sent the last message.
  useLayoutEffect(() => {
    if (!canSend && document.activeElement === box.current) note.current?.focus()
  }, [box, note, canSend])
  // Whoever chooses "Reply" wants to write; whoever opens a chat with a kept reply may want to read.
  const knownReply = useRef(replyId)
  useLayoutEffect(() => {
    if (replyId !== undefined && replyId !== knownReply.current) box.current?.focus({ preventScroll: true })
    knownReply.current = replyId
  }, [box, replyId])
}

/** The media buttons stand in a row below where they would leave fewer than 160 px for the text. */
function ComposerRow({
  isHidden,
  media,
  children,
}: {
  isHidden: boolean
  media: ReactNode
  children: ReactNode
}) {
  return (
    <div className={cx('relative flex flex-wrap-reverse gap-1', isHidden && 'invisible')}>
      {media}
      <div className="flex min-w-0 flex-1 basis-53 items-end gap-1">{children}</div>
    </div>
  )
}

function SendButton({ disabled }: { disabled: boolean }) {
  return (
    <button
      type="submit"
      aria-label="Send"
      disabled={disabled}
      className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition duration-100 active:scale-95 disabled:bg-surface-2 disabled:text-ink-2"
    >
      <SendIcon />
    </button>
  )
}

/** Announces that the next message is the last free one, or that none is left. */
function FreeMessageNote({ canSend, ref }: { canSend: boolean; ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} role="status" tabIndex={-1} className="pb-2 outline-none">
      {canSend ? (
        <p className="text-center text-sm text-ink-2">This will use your last free message today</p>
      ) : (
        <LimitReached />
      )}
    </div>
  )
}

const growsByItself = globalThis.CSS?.supports?.('field-sizing', 'content') ?? false

/** Sets the height by script for browsers without `field-sizing`. */
function fit(box: HTMLTextAreaElement | null) {
  if (!box) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}
