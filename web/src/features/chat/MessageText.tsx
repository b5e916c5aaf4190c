import { useContext, useState } from 'react'
import { cx } from '../../shared/lib/cx.ts'
import { splitLinks } from './message-links.ts'
import { isEmojiOnly, isLong, shownText } from './message-text.ts'
import { MarksContext } from './search/marks.ts'

/**
 * Shows the text of a message with its links. A long text is cut after 20 lines until the person expands it or a search
 * leads to it.
 */
export function MessageText({ content, id }: { content: string; id?: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const marks = useContext(MarksContext)
  const isCurrent = id !== undefined && marks?.currentId === id
  const shown = shownText(content)
  const isCut = !isWhole && !isCurrent && isLong(shown)
  const marked = (text: string) => (id !== undefined && marks?.mark(text, isCurrent)) || text
  return (
    <>
      <span
        dir="auto"
        className={cx(isEmojiOnly(shown) && 'text-4xl leading-tight', isCut && 'line-clamp-20')}
      >
        {splitLinks(shown).map(({ text, href }, index) =>
          href === undefined ? (
            marked(text)
          ) : (
            <a
              key={index}
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              className="wrap-anywhere underline underline-offset-2"
            >
              {marked(text)}
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
