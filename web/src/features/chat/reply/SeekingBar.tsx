import { Spinner } from '../../../shared/ui/Spinner.tsx'

/** Says that earlier messages are loaded until an answered one is there. */
export function SeekingBar({ count, onStop }: { count: number; onStop: () => void }) {
  return (
    <div className="absolute inset-x-0 bottom-3 flex justify-center">
      <div className="inline-flex min-h-11 items-center gap-2 rounded-full border border-line bg-surface pl-4 text-sm shadow-lg">
        <Spinner />
        <p role="status">Looking for the message… {count} loaded</p>
        <button type="button" className="min-h-11 px-4 font-medium text-accent" onClick={onStop}>
          Stop
        </button>
      </div>
    </div>
  )
}
