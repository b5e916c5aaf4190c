import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { usePage, useSession } from '../../../page.ts'
import { cx } from '../../../shared/lib/cx.ts'
import { toMediaInfo } from '../../sealed/media-info.ts'
import { OnceIcon } from '../../media/once/OnceIcon.tsx'
import { onceOf } from './once-of.ts'
import { onceName } from '../../media/once/once-name.ts'
import type { OnceFields } from '../../media/once/once-name.ts'
import type { OnceMessage as Stored, Opening } from '../../media/once/openings.ts'

// The time stands in the same line.
const lineClass = 'inline-flex min-h-8 items-center gap-2 align-middle'

interface LineProps {
  isOpened?: boolean | undefined
  children: ReactNode
}

function Line({ isOpened = false, children }: LineProps) {
  return (
    <span className={cx(lineClass, isOpened && 'text-ink-2')}>
      <OnceIcon size={26} isOpened={isOpened} className="shrink-0" />
      {children}
    </span>
  )
}

type OnceMessageProps =
  | { isOwn: true; message: OnceFields }
  | {
      isOwn: boolean
      message: Stored
      /** A sealed message contains this description of its media. */
      media: unknown
    }

/** Names an own message that opens once, or lets the person open a received one, and says when it was opened. */
export function OnceMessage(props: OnceMessageProps) {
  if (props.isOwn || !('media' in props))
    return <Line isOpened={props.message.isOpened}>{onceName(props.message)}</Line>
  return <Received message={props.message} media={props.media} />
}

function Received({ message, media }: { message: Stored; media: unknown }) {
  const [page, session] = [usePage(), useSession()]
  const once = onceOf(page, session)
  const opening = useSyncExternalStore(once.subscribe, () => once.get(message.id))
  const place = useFocusAfter(opening)
  const { isOpened, sealed, messageType } = message
  const isReadable = !sealed || toMediaInfo(media, messageType) !== undefined
  return (
    <span ref={place} className="contents">
      {!isOpened && !isReadable ? (
        <em className="text-ink-2">This file can’t be shown</em>
      ) : (
        <Content
          {...{ message, opening }}
          onOpen={() => void once.open((opening?.phase === 'failed' && opening.kept?.message) || message)}
        />
      )}
    </span>
  )
}

interface ContentProps {
  message: Stored
  opening: Opening | undefined
  onOpen: () => void
}

function Content({ message, opening, onOpen }: ContentProps) {
  const isKept =
    opening?.phase === 'failed'
      ? opening.kept !== undefined || !message.isOpened
      : opening?.phase === 'open' && !opening.isViewed
  if (opening?.phase === 'gone') return <Line isOpened>{opening.sentence}</Line>
  if (opening?.phase !== 'opening' && !isKept && (opening ?? message.isOpened))
    return <Line isOpened>Opened</Line>
  const sentence = opening?.phase === 'failed' ? opening.sentence : isKept && 'It was not loaded yet.'
  return (
    <>
      <button
        type="button"
        aria-busy={opening?.phase === 'opening' || undefined}
        onClick={onOpen}
        className={cx(lineClass, '-my-1.5 min-h-11 rounded-xl font-medium text-accent aria-busy:opacity-60')}
      >
        <span className="rounded-full bg-accent p-1 text-accent-ink">
          <OnceIcon />
        </span>
        {onceName({ ...message, isOpened: undefined })}
      </button>
      <span role="status" className="block text-sm text-ink-2 empty:hidden">
        {sentence}
      </span>
    </>
  )
}

/** Returns a ref of the content. Its button leaves with the opening, so the message gets the focus after the viewer. */
function useFocusAfter(opening: Opening | undefined) {
  const place = useRef<HTMLSpanElement>(null)
  const isOpen = opening?.phase === 'open' && opening.isViewed
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      place.current?.closest('article')?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  return place
}
