import { limits } from '@sumlock/contracts/limits'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import { serverNowMs } from '../../api/server-clock.ts'
import { clockTime } from '../../shared/lib/clock-time.ts'
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
  const note = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLFormElement>(null)
  const content = text.trim()
  // A disabled box would drop the focus of the person who has just sent the last message.
  useLayoutEffect(() => {
    if (!canSend && document.activeElement === box.current) note.current?.focus()
  }, [canSend])

  const grow = () => {
    if (!growsByItself) fit(box.current)
  }
  const onOpen = useEffectEvent(() => {
    grow()
    // On a phone the keyboard would cover half of the conversation.
    if (canSend && window.matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  })
  useLayoutEffect(() => {
    onOpen()
    return raiseToasts(frame.current)
  }, [])
  const change = (next: string) => {
    setText(next)
    onDraft(next)
  }
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (content === '' || !canSend) return
    onSend(content)
    change('')
    if (box.current && !growsByItself) box.current.style.height = 'auto'
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a character, Enter belongs to it.
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
  }

  return (
    <form
      ref={frame}
      className="shrink-0 border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
      onSubmit={send}
    >
      <div className="mx-auto max-w-190">
        {!unlimited && (
          <div ref={note} role="status" tabIndex={-1} className="pb-2 outline-none">
            {canSend ? (
              <p className="text-center text-sm text-ink-2">This will use your last free message today</p>
            ) : (
              <LimitReached />
            )}
          </div>
        )}
        <div className="flex items-end gap-2">
          <textarea
            ref={box}
            rows={1}
            value={text}
            maxLength={limits.messageMaxLength}
            disabled={!canSend}
            dir="auto"
            enterKeyHint="send"
            aria-label="Message"
            placeholder="Type your message..."
            onChange={(event) => {
              change(event.target.value)
              grow()
            }}
            onKeyDown={onKeyDown}
            className="field-sizing-content max-h-36 min-h-12 min-w-0 flex-1 touch-pan-y touch-pinch-zoom resize-none rounded-3xl border border-control bg-surface px-4 py-2.75 text-base placeholder:text-ink-2 focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:opacity-60"
          />
          <button
            type="submit"
            aria-label="Send"
            disabled={content === '' || !canSend}
            className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition duration-100 active:scale-95 disabled:bg-surface-2 disabled:text-ink-2"
          >
            <SendIcon />
          </button>
        </div>
      </div>
    </form>
  )
}

function LimitReached() {
  const [nowMs] = useState(serverNowMs)
  return (
    <div className="rounded-2xl border border-line bg-surface p-3 text-center text-sm">
      <p>Daily message limit reached. Upgrade to premium for unlimited messages.</p>
      <p className="mt-1 text-ink-2">Next free message at {clockTime(nextDay(nowMs))}</p>
      <Link
        to="/settings"
        state={{ upgrade: true }}
        className="mt-1 inline-flex min-h-11 items-center font-medium text-accent underline-offset-2 hover:underline"
      >
        Upgrade to Premium
      </Link>
    </div>
  )
}

/** The free message of a day comes at midnight UTC. */
const nextDay = (nowMs: number) => new Date(new Date(nowMs).setUTCHours(24, 0, 0, 0)).toISOString()

const growsByItself = globalThis.CSS?.supports?.('field-sizing', 'content') ?? false

/** For browsers without `field-sizing`. */
function fit(box: HTMLTextAreaElement | null) {
  if (!box) return
  box.style.height = 'auto'
  box.style.height = `${Math.min(box.scrollHeight, maxHeightPx)}px`
}

/** Keeps toasts above the composer as it grows. */
function raiseToasts(frame: HTMLElement | null) {
  if (!frame) return undefined
  const { style } = document.documentElement
  const sizes = new ResizeObserver(() => style.setProperty('--composer', `${frame.offsetHeight}px`))
  sizes.observe(frame)
  return () => {
    sizes.disconnect()
    style.removeProperty('--composer')
  }
}
