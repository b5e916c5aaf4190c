import { useState } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { splitLinks } from './message-links.ts'
import { isEmojiOnly, isLong, shownText } from './message-text.ts'

/** Shows the text of a message with its links. A long text is cut after 20 lines until the person expands it. */
export function MessageText({ content }: { content: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const shown = shownText(content)
  const isCut = !isWhole && isLong(shown)
  return (
    <>
      <span
        dir="auto"
        className={cx(isEmojiOnly(shown) && 'text-4xl leading-tight', isCut && 'line-clamp-20')}
      >
        {splitLinks(shown).map(({ text, href }, index) =>
          href === undefined ? (
            text
          ) : (
            <a
              key={index}
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              className="wrap-anywhere underline underline-offset-2"
            >
              {text}
            </a>
          ),
        )}
      </span>
      {isCut && (
        <button
          type="button"
          className="block min-h-11 font-medium text-accent"
          onClick={() => setIsWhole(true)}
        >
          Show more
        </button>
      )}
    </>
  )
}
