import type { ComponentProps, KeyboardEvent } from 'react'
import { isComposing } from '../../shared/lib/is-composing.ts'
import { useMediaQuery } from '../../shared/lib/use-media-query.ts'

/** With a mouse, Enter sends. On a touch keyboard Enter starts a new line, because no other key does. */
export function MessageBox({
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
      className="field-sizing-content max-h-[min(9rem,40dvh)] min-h-12 min-w-0 flex-1 touch-pan-y touch-pinch-zoom resize-none rounded-3xl border border-control bg-surface px-4 py-2.75 text-base placeholder:text-ink-2 focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60"
      {...rest}
    />
  )
}
