import { useEffect, useRef, useState } from 'react'
import { useAppDispatch } from '../../api/store.ts'
import { loadNextPage, searchAll } from './pages-api.ts'

export interface MorePagesProps {
  /** The list has this many conversations; when more arrive, the end is observed anew. */
  count: number
  wanted: string
  /** Whether the search matches nothing in the list. */
  isNothingFound: boolean
}

const searchAfterMs = 300

/**
 * Marks the end of a long list: loads the next page when it is scrolled into view, and searches the conversations that
 * are not loaded yet.
 */
export function MorePages({ count, wanted, isNothingFound }: MorePagesProps) {
  const dispatch = useAppDispatch()
  const end = useRef<HTMLDivElement>(null)
  const search = wanted.trim()
  const [searched, setSearched] = useState('')

  useEffect(() => {
    if (!end.current || search !== '') return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void dispatch(loadNextPage())
      },
      // The next page is loaded about one screen before the end, so that scrolling does not wait.
      { rootMargin: '800px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [count, search, dispatch])

  useEffect(() => {
    if (search === '') return
    const timer = setTimeout(
      () => void dispatch(searchAll(search)).then(() => setSearched(search)),
      searchAfterMs,
    )
    return () => clearTimeout(timer)
  }, [search, dispatch])

  return (
    <div ref={end} className="min-h-px shrink-0">
      {isNothingFound && (
        <p role="status" className="p-8 text-center text-ink-2">
          {searched === search ? `No conversation matches “${wanted}”.` : 'Searching...'}
        </p>
      )}
    </div>
  )
}
