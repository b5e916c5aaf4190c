import type { MediaFailure } from './media-failure.ts'

/** Explains in a bubble why its media cannot be shown, with a button if another try may help. */
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
