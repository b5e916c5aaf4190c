import type { MediaFailure } from './media-failure.ts'

/** A line in a bubble that replaces media which cannot be shown. */
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
