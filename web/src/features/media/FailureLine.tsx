import type { MediaFailure } from './media-failure.ts'

/** Stands in a bubble instead of media that are not shown. */
export function FailureLine({ failure, onRetry }: { failure: MediaFailure; onRetry: () => void }) {
  return (
    <span className="block">
      <em className="text-ink-2">{failure.sentence}</em>
      {failure.canRetry && (
        <button type="button" className="min-h-11 px-2 font-medium text-accent underline" onClick={onRetry}>
          Try again
        </button>
      )}
    </span>
  )
}
