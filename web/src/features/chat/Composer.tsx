import { hasText } from '@sumlock/contracts/has-text'
import { limits } from '@sumlock/contracts/limits'
import { useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { ComponentProps, FormEvent, KeyboardEvent, ReactNode, Ref } from 'react'
import { isComposing } from '../../shared/lib/is-composing.ts'
import { lengthOf } from '../../shared/lib/text-length.ts'
import { useMediaQuery } from '../../shared/lib/use-media-query.ts'
import { IconButton } from '../../shared/ui/Button.tsx'
import { CameraIcon, GalleryIcon, SendIcon } from '../../shared/ui/icons.tsx'
import { LengthNote } from '../../shared/ui/LengthNote.tsx'
import { usePage } from '../../page.ts'
import { pastedFile } from '../media/one-file.ts'
import { LimitReached } from '../../app/chunks/unlocked.tsx'

const maxHeightPx = 144

export interface ComposerProps {
  canSend: boolean
  unlimited: boolean
  /** The box starts with this text. */
  draft: string
  onDraft: (text: string) => void
  /** Sends the text and ends the draft. */
  onSend: (content: string) => void
  /** Opens the sheet of a media button, or the one for a pasted file. */
  onMedia?: (from: 'camera' | 'gallery', file?: File) => void
  /** Replaces the send button while there is no text. */
  voice?: ReactNode
}

export function Composer({ canSend, unlimited, draft, onDraft, onSend, onMedia, voice }: ComposerProps) {
  const { toasts } = usePage()
  const [text, setText] = useState(draft)
  const box = useRef<HTMLTextAreaElement>(null)
  const note = useRef<HTMLDivElement>(null)
  const noteId = useId()
  const content = hasText(text) ? text.trim() : ''
  const length = lengthOf(text, limits.messageMaxLength)
  const isSendable = content !== '' && length.excess === 0 && canSend
  // A disabled box would drop the focus of the person who has just sent the last message.
  useLayoutEffect(() => {
    if (!canSend && document.activeElement === box.current) note.current?.focus()
  }, [canSend])

  const grow = () => {
    if (!growsByItself) fit(box.current)
  }
  const onOpen = useEffectEvent(() => {
    grow()
    // A touch keyboard would cover half of the conversation, so only a mouse user gets the focus.
    if (canSend && window.matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  })
  useLayoutEffect(() => {
    onOpen()
  }, [])
  const change = (next: string) => {
    setText(next)
    onDraft(next)
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
    >
      <div className="mx-auto max-w-190">
        {!unlimited && <FreeMessageNote ref={note} canSend={canSend} />}
        <LengthNote id={noteId} what="A message" purpose="send it" {...length} />
        <div className="relative flex items-end gap-1">
          {onMedia && <MediaButtons canSend={canSend} onMedia={onMedia} />}
          <MessageBox
            ref={box}
            value={text}
            disabled={!canSend}
            aria-invalid={length.excess > 0}
            aria-describedby={noteId}
            onChange={(event) => {
              change(event.target.value)
              grow()
            }}
            onEnter={send}
            onPaste={(event) => {
              const file = onMedia && pastedFile(toasts, event.clipboardData)
              if (!file) return
              event.preventDefault()
              onMedia('gallery', file)
            }}
          />
          <button
            type="submit"
            aria-label="Send"
            disabled={!isSendable}
            className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition duration-100 active:scale-95 disabled:bg-surface-2 disabled:text-ink-2"
          >
            <SendIcon />
          </button>
          {content === '' && voice}
        </div>
      </div>
    </form>
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

function MediaButtons({ canSend, onMedia }: Required<Pick<ComposerProps, 'canSend' | 'onMedia'>>) {
  return (
    <>
      <IconButton label="Take a photo" disabled={!canSend} onClick={() => onMedia('camera')}>
        <CameraIcon />
      </IconButton>
      <IconButton label="Choose a photo or video" disabled={!canSend} onClick={() => onMedia('gallery')}>
        <GalleryIcon />
      </IconButton>
    </>
  )
}

/** With a mouse, Enter sends. On a touch keyboard Enter starts a new line, because no other key does. */
function MessageBox({
  onEnter,
  ...rest
}: ComponentProps<'textarea'> & { onEnter: (event: KeyboardEvent) => void }) {
  const isTouch = useMediaQuery('(pointer: coarse)')
  return (
    <textarea
      rows={1}
      dir="auto"
      enterKeyHint={isTouch ? 'enter' : 'send'}
      aria-label="Message"
      placeholder="Type your message..."
      onKeyDown={(event) => {
        const isPlain = event.key === 'Enter' && !event.shiftKey && !isComposing(event.nativeEvent)
        if (isPlain && !isTouch) onEnter(event)
      }}
      className="field-sizing-content max-h-36 min-h-12 min-w-0 flex-1 touch-pan-y touch-pinch-zoom resize-none rounded-3xl border border-control bg-surface px-4 py-2.75 text-base placeholder:text-ink-2 focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60"
      {...rest}
    />
  )
}

const growsByItself = globalThis.CSS?.supports?.('field-sizing', 'content') ?? false

/** Sets the height by script for browsers without `field-sizing`. */
function fit(box: HTMLTextAreaElement | null) {
  if (!box) return
  box.style.height = 'auto'
  box.style.height = `${Math.min(box.scrollHeight, maxHeightPx)}px`
}
