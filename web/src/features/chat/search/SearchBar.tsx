import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { isComposing } from '../../../shared/lib/is-composing.ts'
import { shortDateText } from '../../../shared/lib/date-text.ts'
import { BackIcon, DownIcon, UpIcon } from '../../../shared/ui/icons.tsx'
import { inputClass } from '../../../shared/ui/TextField.tsx'
import { TipButton } from '../../../shared/ui/TipButton.tsx'
import { isCovered } from '../../device/is-covered.ts'
import type { GoTo } from '../reply/use-go-to-message.ts'
import { markedText } from './marked-text.tsx'
import type { Marks } from './marks.ts'
import { useSearch } from './use-search.ts'
import { useSearchKey } from './use-search-key.ts'

export interface SearchBarProps {
  /** The id of the conversation. */
  id: string
  name: string
  /** Leads the list of messages to one of them. */
  lead: RefObject<GoTo | null>
  onMarks: (marks: Marks | null) => void
  onClose: () => void
}

/** Replaces the header of a chat while the person searches in it. What is typed stays in this component. */
export function SearchBar({ id, name, lead, onMarks, onClose }: SearchBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const search = useSearch(id, (found) => lead.current?.(found.name, { keepsFocus: true }))
  const { needle, at } = search
  useMarks(needle, at?.id ?? null, onMarks)
  useEndUnderCover(onClose)
  useEffect(() => field.current?.focus(), [])
  useSearchKey(() => {
    field.current?.focus()
    field.current?.select()
  })
  const close = () => {
    onClose()
    if (search.place > 0 && at) lead.current?.(at.name)
    else document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true })
  }
  return (
    <div
      role="search"
      aria-label={`Search in ${name}`}
      className="sticky top-0 z-10 border-b border-line bg-canvas pt-[env(safe-area-inset-top)]"
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Escape') {
          // Chromium would only clear the field.
          event.preventDefault()
          close()
        }
        if (event.key !== 'Enter' || event.target !== field.current) return
        event.preventDefault()
        if (event.shiftKey) search.goToNewer()
        else search.goToOlder()
      }}
    >
      <h1 className="sr-only">Search in {name}</h1>
      <div className="flex min-h-14 flex-wrap items-center gap-x-1 px-2">
        <TipButton label="Close search" onClick={close}>
          <BackIcon />
        </TipButton>
        <input
          ref={field}
          type="search"
          aria-label="Search in this chat"
          placeholder="Search"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          dir="auto"
          maxLength={maxLength}
          value={query}
          className={`${inputClass} ${greyCross} my-1 w-auto! min-w-32 flex-1 rounded-full!`}
          onChange={({ target }) => {
            setQuery(target.value)
            search.search(target.value)
          }}
        />
        <Results search={search} />
      </div>
    </div>
  )
}

const maxLength = 200
/** The button that clears the field is blue in Chromium. */
const greyCross = '[&::-webkit-search-cancel-button]:grayscale'
type Search = ReturnType<typeof useSearch>

/** Says where the search is, and leads to the other matches. */
function Results({ search }: { search: Search }) {
  return (
    <div className="flex min-h-11 basis-full items-center gap-x-1 pb-1 md:basis-auto md:pb-0">
      <p role="status" className="min-w-0 flex-1 px-3 text-sm text-ink-2 tabular-nums">
        {resultText(search)}
      </p>
      {search.isFailed ? (
        <TextButton onClick={search.retry}>Retry</TextButton>
      ) : (
        search.isSeeking && <TextButton onClick={search.stop}>Stop</TextButton>
      )}
      {/* The buttons stay enabled, because a disabled one would lose the focus. */}
      <TipButton
        label="Older match"
        aria-disabled={!search.canGoToOlder}
        className="aria-disabled:opacity-40"
        onClick={search.goToOlder}
      >
        <UpIcon />
      </TipButton>
      <TipButton
        label="Newer match"
        aria-disabled={!search.canGoToNewer}
        className="aria-disabled:opacity-40"
        onClick={search.goToNewer}
      >
        <DownIcon />
      </TipButton>
    </div>
  )
}

function TextButton({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className="min-h-11 shrink-0 px-3 text-sm font-medium text-accent"
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/** Returns a text such as "3 of 17" or "Searched back to 3 Mar…". */
function resultText(search: Search): string {
  const { needle, total, place, hasOlder, isSeeking, isFailed, searchedTo, canGoToOlder } = search
  const isWaiting = total === 0 && search.isIncomplete
  if (needle === '') return ''
  const count = place > 0 ? `${place} of ${total}` : total > 0 ? `${total} found` : ''
  const back = searchedTo === undefined ? '' : shortDateText(searchedTo, new Date())
  const progress = isFailed
    ? 'Older messages could not be loaded. Check your connection.'
    : isSeeking
      ? `Searched back to ${back}…`
      : canGoToOlder
        ? total === 0 && `No match back to ${back}`
        : isWaiting
          ? search.hasFailedToLoad
            ? 'The messages could not be loaded. We keep trying while this page is open.'
            : 'Searching…'
          : !hasOlder && (total === 0 ? 'No match in this chat' : 'No older match')
  return [count, progress].filter(Boolean).join(' · ')
}

function useMarks(needle: string, currentId: string | null, onMarks: SearchBarProps['onMarks']): void {
  const setMarks = useEffectEvent(onMarks)
  useEffect(() => {
    if (needle === '') return setMarks(null)
    setMarks({ currentId, mark: (text, isCurrent) => markedText(text, needle, isCurrent) })
  }, [needle, currentId])
  useEffect(() => () => setMarks(null), [])
}

/** Closes the search when the cover hides the page, so that nothing of it is there on the return. */
function useEndUnderCover(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const covering = new MutationObserver(() => {
      if (isCovered()) close()
    })
    covering.observe(document.documentElement, { attributeFilter: ['class'] })
    return () => covering.disconnect()
  }, [])
}
