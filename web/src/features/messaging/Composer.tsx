import { limits } from '@sumlock/contracts/limits'
import { useLayoutEffect, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { SendIcon } from '../../shared/ui/icons.tsx'

const maxHeightPx = 144

export interface ComposerProps {
  canSend: boolean
  unlimited: boolean
  /** The draft to start with. */
  draft: string
  onDraft: (text: string) => void
  onSend: (content: string) => void
}

export function Composer({ canSend, unlimited, draft, onDraft, onSend }: ComposerProps) {
  const [text, setText] = useState(draft)
  const box = useRef<HTMLTextAreaElement>(null)
  const note = useRef<HTMLParagraphElement>(null)
  const content = text.trim()
  // A disabled box would drop the focus of the person who has just sent the last message.
  useLayoutEffect(() => {
    if (!canSend && document.activeElement === box.current) note.current?.focus()
  }, [canSend])

  const grow = () => {
    const element = box.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, maxHeightPx)}px`
  }
  useLayoutEffect(grow, [])
  const change = (next: string) => {
    setText(next)
    onDraft(next)
  }
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (content === '' || !canSend) return
    onSend(content)
    change('')
    if (box.current) box.current.style.height = 'auto'
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a character, Enter belongs to it.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
  }

  return (
    <form
      className="border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      onSubmit={send}
    >
      {!unlimited && (
        <p ref={note} role="status" tabIndex={-1} className="pb-2 text-center text-sm text-ink-2">
          {canSend
            ? 'This will use your last free message today'
            : 'Daily message limit reached. Upgrade to premium for unlimited messages.'}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          ref={box}
          rows={1}
          value={text}
          maxLength={limits.messageMaxLength}
          disabled={!canSend}
          dir="auto"
          aria-label="Message"
          placeholder="Type your message..."
          onChange={(event) => {
            change(event.target.value)
            grow()
          }}
          onKeyDown={onKeyDown}
          className="min-h-11 flex-1 touch-pan-y touch-pinch-zoom resize-none rounded-2xl border border-control bg-surface px-4 py-2.5 text-base leading-snug placeholder:text-ink-2 disabled:opacity-60"
        />
        <button
          type="submit"
          aria-label="Send"
          disabled={content === '' || !canSend}
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition active:scale-95 disabled:opacity-40"
        >
          <SendIcon />
        </button>
      </div>
    </form>
  )
}
